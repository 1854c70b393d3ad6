import {
  categories,
  inspectedCategories,
  leakKinds,
  modes,
  securityLevels,
  sensitivities,
} from '@portcullis/engine/vocabulary';
import { z } from 'zod';
import { Network } from '../access/index.ts';
import { Domain, UpstreamUrl } from './address.ts';
import { SitePages } from './pages.ts';

const on = z.boolean().default(true);
const off = z.boolean().default(false);

export const corsMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'] as const;
export const originPolicies = ['list', 'any'] as const;
export const challengeModes = ['js', 'captcha'] as const;
export const difficulties = ['low', 'medium', 'high'] as const;
export const responseModes = ['html', 'json'] as const;

export const Hsts = z.object({
  enabled: off,
  /** seconds that a browser keeps to HTTPS */
  max_age: z.number().int().min(0).max(63_072_000).default(31_536_000),
  include_subdomains: off,
});

export const Ssl = z.object({
  enabled: off,
  autoCert: off,
  /** sends clear requests to HTTPS; only while the site has a certificate */
  redirect: off,
  hsts: Hsts.prefault({}),
});

export const HealthCheck = z.object({
  enabled: on,
  /** asked of the upstream; any status below 500 counts as alive */
  path: z.string().startsWith('/', 'The path starts with /').max(2048).default('/'),
  /** seconds between two checks */
  interval: z.number().int().min(1).max(3600).default(30),
  /** seconds that one check may take */
  timeout: z.number().int().min(1).max(300).default(5),
});

/** Browsers leave out the port that a scheme has anyway. */
const withoutUsualPort = (origin: string) =>
  origin.replace(/^(http:\/\/.+):80(\/?)$/i, '$1$2').replace(/^(https:\/\/.+):443(\/?)$/i, '$1$2');

/**
 * As browsers send it in the Origin header, with `*.` for every name below; or `*` for all. Not `null`, which any page
 * can be by way of a sandboxed frame.
 */
const AllowedOrigin = z
  .string()
  .trim()
  .max(2048)
  .regex(
    /^(?:\*|[a-z][a-z\d+.-]*:\/\/[^\s/?#\\,;"<>]+\/?)$/i,
    'Use an origin such as https://app.example.com, or *',
  )
  .overwrite(withoutUsualPort);

const HeaderName = z
  .string()
  .trim()
  .max(256)
  .regex(/^[!#$%&'*+.^_`|~\w-]+$/, 'Use a header name');

export const Cors = z.object({
  enabled: off,
  origin_policy: z.enum(originPolicies).default('list'),
  allowed_origins: z.array(AllowedOrigin).max(1000).default([]),
  allowed_methods: z.array(z.enum(corsMethods)).default(['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS']),
  allowed_headers: z
    .array(HeaderName)
    .max(1000)
    .default(['Content-Type', 'Authorization', 'X-Requested-With', 'Accept']),
  allow_credentials: off,
  /** seconds that a browser may remember a preflight */
  max_age: z.number().int().min(0).max(86_400).default(3600),
});
export type Cors = z.infer<typeof Cors>;

const bucket = {
  window: z.number().int().min(1).max(86_400).default(60),
  capacity: z.number().int().min(1).max(1_000_000).default(100),
  refill_interval: z.number().int().min(1).max(3600).default(1),
};

/** A further bucket for requests that start with a path, counted by client or by a header's value. */
export const RateLimitBucket = z.object({
  name: z.string().trim().min(1).max(64),
  /** requests whose path starts so; absent counts all */
  path: z.string().startsWith('/', 'The path starts with /').max(2048).optional(),
  /** counts by this header's value, such as an API key, instead of by address; absent counts by address */
  header: z
    .string()
    .regex(/^[!#$%&'*+.^_`|~\w-]{1,128}$/, 'Use a header name')
    .optional(),
  ...bucket,
});
export type RateLimitBucket = z.infer<typeof RateLimitBucket>;

/** `capacity` tokens per client, regained at capacity ÷ window a second, credited every `refill_interval` s. */
export const RateLimit = z.object({
  enabled: on,
  ...bucket,
  buckets: z.array(RateLimitBucket).max(32).default([]),
});
export type RateLimit = z.infer<typeof RateLimit>;

export const BotProtection = z.object({
  enabled: off,
  challenge_mode: z.enum(challengeModes).default('js'),
  difficulty: z.enum(difficulties).default('medium'),
  /** seconds that a pass is worth */
  timeout: z.number().int().min(30).max(86_400).default(300),
  verified_bots_allowed: on,
  /** what is below them is not asked as every visitor is; a rule, category or limit that challenges still does */
  exempt_paths: z.array(z.string().startsWith('/', 'The path starts with /').max(2048)).max(1000).default([]),
  exempt_methods: z.array(z.enum(corsMethods)).default([]),
  exempt_addresses: z.array(Network).max(10_000).default([]),
});
export type BotProtection = z.infer<typeof BotProtection>;

const enabledByDefault: ReadonlySet<string> = new Set([
  'sql_injection',
  'xss',
  'path_traversal',
  'command_injection',
]);

const protection = (enabled: boolean) =>
  z
    .object({
      enabled: z.boolean().default(enabled),
      mode: z.enum(modes).default('block'),
      sensitivity: z.enum(sensitivities).default('medium'),
    })
    .prefault({});
type Protection = ReturnType<typeof protection>;

/** One entry for each of the sixteen categories; what a client leaves out gets its default. */
export const ProtectionConfig = z.object(
  Object.fromEntries(categories.map((name) => [name, protection(enabledByDefault.has(name))])) as {
    [name in (typeof categories)[number]]: Protection;
  },
);
export type ProtectionConfig = z.infer<typeof ProtectionConfig>;

/** Whose name an upstream is asked under: the client's Host as it came, or the upstream's own. */
export const hostHeaders = ['client', 'upstream'] as const;

/** One more upstream beside `backend_url`. */
export const FurtherUpstream = z.object({
  url: UpstreamUrl,
  /** its share of the requests, in proportion to the others' */
  weight: z.number().int().min(1).max(100).default(1),
  /** serves only while no other one is alive */
  standby: off,
});

/** Whether a client stays with one of several upstreams, by its address. */
export const affinities = ['none', 'address'] as const;

/** How the upstreams are chosen and talked to. */
export const UpstreamSettings = z.object({
  /** the share of `backend_url` */
  weight: z.number().int().min(1).max(100).default(1),
  further: z.array(FurtherUpstream).max(64).default([]),
  affinity: z.enum(affinities).default('none'),
  host_header: z.enum(hostHeaders).default('client'),
  /** whether an https upstream must show a valid certificate for its name */
  verify_tls: on,
  /** PEM of the authorities that it is verified against; empty takes the system's */
  ca: z
    .string()
    .max(256 * 1024)
    .default(''),
});
export type UpstreamSettings = z.infer<typeof UpstreamSettings>;

export const failureModes = ['block', 'pass'] as const;
export const oversizeModes = ['inspect', ...failureModes] as const;

/** What happens to a request, or where answers are withheld to an answer, that could not be inspected as a whole. */
export const FailureModes = z.object({
  /** the engine broke on it */
  engine_error: z.enum(failureModes).default('block'),
  /** it asked for more work than one request may, or an answer for more memory than is left */
  over_budget: z.enum(failureModes).default('block'),
  /**
   * its body is longer than the part that is inspected before anything goes on: `inspect` looks at the rest on its way,
   * and treats one that is as long only once decompressed as `undecoded` says
   */
  oversize: z.enum(oversizeModes).default('inspect'),
  /**
   * its body is compressed in a way that is not known here, or wrongly, or written in a code page without ASCII; also an
   * answer whose body is coded so, where answers are withheld
   */
  undecoded: z.enum(failureModes).default('block'),
});
export type FailureModes = z.infer<typeof FailureModes>;

export const responseInspectionModes = ['off', 'log', 'block'] as const;

/**
 * What the site's own answers are looked through for. `log` tells and lets pass, without holding anything back;
 * `block` holds the beginning of each answer until it is known to be clean.
 */
export const ResponseInspection = z.object({
  mode: z.enum(responseInspectionModes).default('off'),
  kinds: z.array(z.enum(leakKinds)).default([...leakKinds]),
});
export type ResponseInspection = z.infer<typeof ResponseInspection>;

export const accessLogFormats = ['json', 'combined'] as const;
export type AccessLogFormat = (typeof accessLogFormats)[number];
export const accessLogChoices = ['off', ...accessLogFormats] as const;

/** Whether every exchange is kept, in a file of the gateway's: a line of JSON each, or as nginx and Apache write it. */
export const AccessLog = z.object({ format: z.enum(accessLogChoices).default('off') });

/** A finding that the operator judged harmless here: all that is set must hold. */
export const InspectionException = z
  .object({
    rule_id: z.string().min(1).max(128).optional(),
    category: z.enum(inspectedCategories).optional(),
    path: z
      .string()
      .startsWith('/', 'The path starts with /')
      .max(2048)
      .optional()
      .describe(
        "the request's path: exact, or a prefix that ends in *; a segment that is * stands for any one segment",
      ),
    parameter: z
      .string()
      .min(1)
      .max(256)
      .optional()
      .describe(
        'the parameter, header or cookie, as an event shows it without its part: items.0.name; * stands for one part between ' +
          'dots: items.*.name',
      ),
    method: z.string().trim().toUpperCase().min(1).max(64).optional(),
    expires_at: z.iso.datetime().optional(),
    note: z.string().max(500).default(''),
  })
  .refine((one) => one.rule_id !== undefined || one.category !== undefined, 'Name a rule or a category');
export type InspectionException = z.infer<typeof InspectionException>;

/** A scheme and host as browsers send them in the Origin header: `https://app.example.com`. */
const TrustedOrigin = z
  .string()
  .trim()
  .toLowerCase()
  .max(2048)
  .regex(/^https?:\/\/[^/\s?#]+$/, 'Use an origin such as https://app.example.com')
  .overwrite(withoutUsualPort);

const ServedMethod = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[!#$%&'*+.^_`|~\w-]{1,32}$/, 'Use a method such as PROPFIND');

const siteFields = {
  name: z.string().trim().min(1, 'Name is required').max(120),
  description: z.string().max(2000).default(''),
  /** the first one is the primary domain */
  domains: z.array(Domain).min(1, 'At least one domain is required').max(1000),
  backend_url: UpstreamUrl,
  upstream: UpstreamSettings.prefault({}),
  enabled: on,
  /** nothing that the site is protected by is carried out: events tell what it would have done */
  watch_only: off,
  /** answered with the maintenance page, but for addresses on an allow list */
  maintenance: off,
  security_level: z.enum(securityLevels).default('medium'),
  /** the same switch as `healthCheck.enabled`; where both are sent, `healthCheck` counts */
  health_check_enabled: on,
  ssl: Ssl.prefault({}),
  healthCheck: HealthCheck.prefault({}),
  cors: Cors.prefault({}),
  rate_limit: RateLimit.prefault({}),
  bot_protection: BotProtection.prefault({}),
  protection_config: ProtectionConfig.prefault({}),
  /** origins that may send forms and other unsafe requests across sites; category `csrf` asks for them */
  trusted_origins: z.array(TrustedOrigin).max(1000).default([]),
  /** methods that the site serves, for category `method_validation`; empty takes the common ones */
  allowed_methods: z.array(ServedMethod).max(64).default([]),
  exceptions: z.array(InspectionException).max(1000).default([]),
  failure_modes: FailureModes.prefault({}),
  response_inspection: ResponseInspection.prefault({}),
  access_log: AccessLog.prefault({}),
  response_mode: z.enum(responseModes).default('html'),
  pages: SitePages.prefault({}),
};

/** What a client sends to create a site: name, domains and upstream are enough. */
export const SiteCreate = z.object(siteFields);
export type SiteCreate = z.infer<typeof SiteCreate>;

export const Site = SiteCreate.extend({
  id: z.string(),
  /** rises with each saved change */
  version: z.number().int(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type Site = z.infer<typeof Site>;

export const SecurityLevelUpdate = z.object({ security_level: z.enum(securityLevels) });
