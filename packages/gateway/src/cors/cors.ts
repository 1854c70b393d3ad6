import type { Cors } from '@portcullis/contract/sites';
import type { Exchange } from '../exchange/index.ts';

/** A site's CORS settings, ready for the path of a request. */
export interface CorsPolicy {
  readonly settings: Cors;
  readonly anyOrigin: boolean;
  readonly origins: ReadonlySet<string>;
  /** `.example.com` with its scheme, of entries such as `https://*.example.com` */
  readonly wildcards: readonly { readonly scheme: string; readonly suffix: string }[];
}

/** What an upstream says of CORS itself is withheld where the gateway answers for it: two voices would clash. */
export const corsHeaderNames: ReadonlySet<string> = new Set([
  'access-control-allow-origin',
  'access-control-allow-credentials',
  'access-control-allow-methods',
  'access-control-allow-headers',
  'access-control-max-age',
]);

/** @returns undefined where the site leaves CORS to its upstream */
export function compileCors(settings: Cors): CorsPolicy | undefined {
  if (!settings.enabled) return undefined;
  const entries = settings.allowed_origins.map((origin) => origin.trim().toLowerCase().replace(/\/$/, ''));
  const wildcards = entries.flatMap((entry) => {
    const found = /^(https?:\/\/)\*(\..+)$/.exec(entry);
    return found ? [{ scheme: found[1] ?? '', suffix: found[2] ?? '' }] : [];
  });
  const anyOrigin = settings.origin_policy === 'any' || entries.includes('*');
  return { settings, anyOrigin, origins: new Set(entries), wildcards };
}

const anyOriginHeaders = ['Access-Control-Allow-Origin', '*'];

/**
 * @returns headers for the answer to a request of a page of another origin; none where the origin is not allowed
 * @see https://fetch.spec.whatwg.org/#http-cors-protocol
 */
export function corsHeaders(policy: CorsPolicy, origin: string | undefined): string[] {
  const { settings, anyOrigin } = policy;
  // With any origin let in, credentials stay out: else every page on the web could act as the visitor.
  // Said to everybody: an answer that a cache keeps from who sent no Origin serves other pages too.
  if (anyOrigin) return anyOriginHeaders;
  const vary = ['Vary', 'Origin'];
  if (origin === undefined || !isListed(policy, origin.toLowerCase())) return vary;
  const headers = ['Access-Control-Allow-Origin', origin, ...vary];
  if (settings.allow_credentials) headers.push('Access-Control-Allow-Credentials', 'true');
  return headers;
}

function isListed({ origins, wildcards }: CorsPolicy, origin: string): boolean {
  if (origins.has(origin)) return true;
  return wildcards.some(
    ({ scheme, suffix }) =>
      origin.startsWith(scheme) && origin.endsWith(suffix) && origin.length > scheme.length + suffix.length,
  );
}

/** Whether a browser asks beforehand instead of sending the request itself. */
export function isPreflight({ method, head }: Exchange): boolean {
  return method === 'OPTIONS' && head.origin !== undefined && head.preflightMethod !== undefined;
}

/** @returns the headers of the answer to a preflight, beside {@link corsHeaders} */
export function preflightHeaders({ settings }: CorsPolicy): string[] {
  return [
    'Access-Control-Allow-Methods',
    settings.allowed_methods.join(', '),
    'Access-Control-Allow-Headers',
    settings.allowed_headers.join(', '),
    'Access-Control-Max-Age',
    String(settings.max_age),
  ];
}
