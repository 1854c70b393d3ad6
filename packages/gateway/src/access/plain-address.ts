import { isIPv4 } from 'node:net';
import { parseAddress } from '@portcullis/contract/access';

/**
 * The one way an address is written here, whoever named it: a socket, a PROXY header or a trusted proxy. What lists,
 * shares and upstreams see depends on it.
 * @returns IPv4 dotted, also where it came within IPv6 (`::ffff:192.0.2.1`, `::ffff:c000:201`); IPv6 in its shortest
 * form (RFC 5952); what is no address, such as one with a zone, as it came; empty for undefined
 */
export function plainAddress(text: string | undefined): string {
  if (text === undefined) return '';
  if (!text.includes(':')) return text;
  // As a dual-stack socket shows every IPv4 client.
  const within = text.startsWith('::ffff:') ? text.slice(7) : '';
  if (isIPv4(within)) return within;
  const words = parseAddress(text);
  if (words === undefined) return text;
  if (words.length === 1) return [24, 16, 8, 0].map((shift) => (words[0] >>> shift) & 255).join('.');
  const groups = words.flatMap((word) => [word >>> 16, word & 0xffff]);
  return new URL(`http://[${groups.map((group) => group.toString(16)).join(':')}]`).hostname.slice(1, -1);
}
