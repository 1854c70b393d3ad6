import { z } from 'zod';

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const domainPattern = new RegExp(`^(?:\\*|(?:\\*\\.)?(?:${label}\\.)*${label})$`);

/** `shop.example.com`, `*.example.com`, or `*` for every host that no other site names. Kept in lower case. */
export const Domain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(domainPattern, 'Use a host name such as shop.example.com, *.example.com, or * for every other host')
  .refine(
    (name) => !/^\d+(\.\d+){3}$/.test(name),
    'An IP address cannot be a domain; use * to answer for any host',
  );

/** Where requests go: scheme, host and port. A path is refused, for the request's own path is forwarded. */
export const UpstreamUrl = z
  .string()
  .trim()
  .max(2048)
  .superRefine((text, context) => {
    const problem = upstreamProblem(text);
    if (problem) context.addIssue({ code: 'custom', message: problem });
  })
  .transform((text) => new URL(text).origin);

function upstreamProblem(text: string): string | undefined {
  if (text === '') return 'Upstream URL is required';
  if (!URL.canParse(text)) return 'Use a URL such as http://127.0.0.1:3000';
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return 'The upstream URL starts with http:// or https://';
  if (url.username || url.password) return 'The upstream URL cannot carry a user name or password';
  if (url.pathname !== '/' || url.search || url.hash) {
    return 'The upstream URL ends after host and port; the path of each request is forwarded as it is';
  }
  return undefined;
}

export type HostMatch = 'exact' | 'wildcard' | 'any';

/**
 * Whether a site's domain answers for a host. `*.example.com` covers any depth below example.com, not
 * example.com itself.
 * @param host lower case, without port
 */
export function domainMatches(domain: string, host: string): HostMatch | undefined {
  if (domain === '*') return 'any';
  if (domain.startsWith('*.')) return host.endsWith(domain.slice(1)) ? 'wildcard' : undefined;
  return domain === host ? 'exact' : undefined;
}
