import { Resolver } from 'node:dns/promises';
import { parseAddress } from '@portcullis/contract/access';
import type { BotResolver } from './verified-bots.ts';

/**
 * Asks name servers by ourselves. The system's own look-up holds one of few threads, which upstreams are resolved and
 * files are written in too, for as long as a name server is silent; and it is strangers who raise these questions.
 * @param servers each `address:port`; absent takes the system's
 */
export function nameServers(servers?: readonly string[]): BotResolver {
  const resolver = new Resolver({ timeout: 1000, tries: 2 });
  if (servers) resolver.setServers(servers);
  return {
    // Not `reverse`: it calls a name server that fails one that knows no such name.
    reverse: (ip) => resolver.resolvePtr(reverseName(ip)),
    lookup: (host, family) => (family === 4 ? resolver.resolve4(host) : resolver.resolve6(host)),
  };
}

/** @returns the name under which an address has its names: RFC 1035 §3.5, RFC 3596 §2.5 */
function reverseName(ip: string): string {
  const words = parseAddress(ip) ?? [];
  const hex = words.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
  if (words.length > 1) return `${[...hex].reverse().join('.')}.ip6.arpa`;
  const bytes = [...Buffer.from(hex, 'hex')];
  return `${bytes.reverse().join('.')}.in-addr.arpa`;
}
