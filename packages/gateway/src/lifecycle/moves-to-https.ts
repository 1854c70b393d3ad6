import { type Exchange, respond } from '../exchange/index.ts';
import type { Configuration, ServedSite } from '../sites/index.ts';

/**
 * @param httpsPort where a redirect goes that came to a port of ours
 * @returns true where a clear request was sent to HTTPS; tells browsers to stay there where it came by it
 */
export function movesToHttps(
  exchange: Exchange,
  { ssl }: ServedSite,
  { certificates }: Configuration,
  httpsPort: number,
): boolean {
  if (ssl === undefined) return false;
  if (exchange.scheme === 'https') {
    const { enabled, max_age, include_subdomains } = ssl.hsts;
    const scope = include_subdomains ? '; includeSubDomains' : '';
    if (enabled) exchange.extraHeaders.push('Strict-Transport-Security', `max-age=${max_age}${scope}`);
    return false;
  }
  if (!ssl.redirect || !certificates.covers(exchange.host)) return false;
  // Who named a port came to our own; behind a port map both ends are the standard ones.
  const port = /:\d+$/.test(exchange.head.host ?? '') ? `:${httpsPort}` : '';
  exchange.outcome = 'redirect';
  respond(exchange, 308, ['Location', `https://${exchange.host}${port}${exchange.target}`], '');
  return true;
}
