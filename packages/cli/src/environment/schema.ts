import { availableParallelism, hostname } from 'node:os';
import path from 'node:path';
import { parseNetwork } from '@portcullis/contract/access';
import { z } from 'zod';

const port = (fallback: number) =>
  z.coerce
    .number('is not a number')
    .int('is not a whole number')
    .min(0, 'lies below 0')
    .max(65_535, 'lies above 65535')
    .default(fallback);

const pem = z.string().startsWith('-----BEGIN CERTIFICATE-----', 'is not a PEM certificate');

const url = (...schemes: string[]) =>
  z.string().refine((text) => URL.canParse(text) && schemes.includes(new URL(text).protocol), {
    message: `is not a URL that starts with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`,
  });

const isOrigin = (text: string) =>
  URL.canParse(text) &&
  /^https?:$/.test(new URL(text).protocol) &&
  new URL(text).origin === text.replace(/\/$/, '').toLowerCase();

/** `10.0.0.0/8, 127.0.0.1` */
const networks = z
  .string()
  .transform((text) => text.split(',').map((one) => one.trim().toLowerCase()))
  .refine((list) => list.every((one) => parseNetwork(one) !== undefined), {
    message: 'is not a list of addresses and networks such as 127.0.0.1,10.0.0.0/8',
  });

/**
 * Settings by environment. Anything else is set in the console and stored. Each secret may also come from a
 * file named by the same variable with `_FILE` at its end.
 */
export const EnvironmentSchema = z
  .object({
    PORTCULLIS_DATA_DIR: z
      .string()
      .default('./data')
      .transform((dir) => path.resolve(dir)),
    PORTCULLIS_ADMIN_HOST: z.string().min(1).default('127.0.0.1'),
    PORTCULLIS_ADMIN_PORT: port(7080),
    PORTCULLIS_PUBLIC_URL: z
      .string()
      .refine(isOrigin, { message: 'is not a URL such as https://console.example.com' })
      .optional(),
    PORTCULLIS_ADMIN_TRUSTED_PROXIES: networks.optional(),
    /** both IPv6 and IPv4; IPv4 alone where the machine has no other */
    PORTCULLIS_HTTP_HOST: z.string().min(1).default('::'),
    PORTCULLIS_HTTP_PORT: port(8080),
    PORTCULLIS_HTTPS_PORT: port(8443),
    PORTCULLIS_GATEWAY_WORKERS: z.coerce
      .number('is not a number')
      .int('is not a whole number')
      .min(1, 'lies below 1')
      .max(256, 'lies above 256')
      .default(availableParallelism()),
    PORTCULLIS_ACCESS_LOG_DIR: z
      .string()
      .transform((dir) => path.resolve(dir))
      .optional(),
    PORTCULLIS_ACCESS_LOG_MEGABYTES: z.coerce
      .number('is not a number')
      .int('is not a whole number')
      .min(8, 'lies below 8')
      .max(1_000_000, 'lies above 1000000')
      .default(1024),
    PORTCULLIS_EVENT_LOG: z
      .enum(['off', 'stdout'], { error: () => 'is neither off nor stdout' })
      .default('off'),
    PORTCULLIS_DATABASE_URL: url('postgres:', 'postgresql:').optional(),
    PORTCULLIS_REDIS_URL: url('redis:', 'rediss:').optional(),
    PORTCULLIS_REDIS_CA: pem.optional(),
    PORTCULLIS_CLUSTER_KEY: z.string().min(32, 'is shorter than 32 characters').max(256).optional(),
    PORTCULLIS_NODE_NAME: z
      .string()
      .regex(/^[\w.-]{1,48}$/, 'is not a name of up to 48 letters, digits, dots, dashes and underscores')
      .default(
        () =>
          hostname()
            .replaceAll(/[^\w.-]/g, '-')
            .slice(0, 48) || 'node',
      ),
    PORTCULLIS_COUNTRY_DATABASE: z
      .string()
      .transform((file) => path.resolve(file))
      .optional(),
    PORTCULLIS_ACME_DIRECTORY: url('https:').default('https://acme-v02.api.letsencrypt.org/directory'),
    PORTCULLIS_ACME_EMAIL: z.email('is not an email address').optional(),
    PORTCULLIS_ACME_CA: pem.optional(),
    PORTCULLIS_ACME_EAB_KEY_ID: z.string().min(1).max(1024).optional(),
    PORTCULLIS_ACME_EAB_HMAC_KEY: z
      .string()
      .regex(/^[\w-]{16,}={0,2}$/, 'is not a key in base64url, as the authority hands it out')
      .optional(),
    PORTCULLIS_ADMIN_EMAIL: z.email('is not an email address').optional(),
    PORTCULLIS_ADMIN_PASSWORD: z.string().min(8, 'is shorter than 8 characters').max(256).optional(),
  })
  .superRefine((settings, context) => {
    const pairs = [
      ['PORTCULLIS_ADMIN_EMAIL', 'PORTCULLIS_ADMIN_PASSWORD'],
      ['PORTCULLIS_ADMIN_PASSWORD', 'PORTCULLIS_ADMIN_EMAIL'],
      ['PORTCULLIS_ACME_EAB_KEY_ID', 'PORTCULLIS_ACME_EAB_HMAC_KEY'],
      ['PORTCULLIS_ACME_EAB_HMAC_KEY', 'PORTCULLIS_ACME_EAB_KEY_ID'],
      // What travels over Redis is sealed, always: it holds private keys and what visitors sent.
      ['PORTCULLIS_REDIS_URL', 'PORTCULLIS_CLUSTER_KEY'],
      ['PORTCULLIS_CLUSTER_KEY', 'PORTCULLIS_REDIS_URL'],
    ] as const;
    for (const [given, missing] of pairs) {
      if (settings[given] && !settings[missing]) {
        context.addIssue({ code: 'custom', path: [missing], message: `is needed because ${given} is set` });
      }
    }
    if (settings.PORTCULLIS_REDIS_CA && !settings.PORTCULLIS_REDIS_URL?.startsWith('rediss:')) {
      const message = 'is for a PORTCULLIS_REDIS_URL that starts with rediss://';
      context.addIssue({ code: 'custom', path: ['PORTCULLIS_REDIS_CA'], message });
    }
    const used = new Map<number, string>();
    for (const name of ['PORTCULLIS_ADMIN_PORT', 'PORTCULLIS_HTTP_PORT', 'PORTCULLIS_HTTPS_PORT'] as const) {
      const other = used.get(settings[name]);
      if (other && settings[name] !== 0) {
        context.addIssue({ code: 'custom', path: [name], message: `is the same port as ${other}` });
      }
      used.set(settings[name], name);
    }
  });

export type Settings = z.infer<typeof EnvironmentSchema>;

/** Variables whose value may come from a file, for orchestrators that mount secrets and certificates. */
export const secretNames = [
  'PORTCULLIS_ACME_CA',
  'PORTCULLIS_ACME_EAB_HMAC_KEY',
  'PORTCULLIS_ADMIN_PASSWORD',
  'PORTCULLIS_CLUSTER_KEY',
  'PORTCULLIS_DATABASE_URL',
  'PORTCULLIS_REDIS_CA',
  'PORTCULLIS_REDIS_URL',
] as const satisfies (keyof Settings)[];
