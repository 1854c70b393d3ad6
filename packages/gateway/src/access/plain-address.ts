import { isIPv4 } from 'node:net';
import { parseAddress } from '@portcullis/contract/access';

/** What a dual-stack socket shows before an IPv4 address. */
const mapped = '::ffff:';

/**
 * The address of a socket's other end as {@link plainAddress} has it, for the system writes it in its shortest form
 * already and each request asks.
 * @param text as the system wrote it; undefined where the socket is closed or is none of IP
 */
export function socketAddress(text: string | undefined): string {
  if (text === undefined || !text.startsWith(mapped)) return text ?? '';
  const within = text.slice(mapped.length);
  return isIPv4(within) ? within : text;
}

/**
 * The one way an address is written here, whoever named it: a PROXY header or a trusted proxy, and a socket by
 * {@link socketAddress}. What lists, shares and upstreams see depends on it.
 * @returns IPv4 dotted, also where it came within IPv6 (`::ffff:192.0.2.1`, `::ffff:c000:201`); IPv6 in its shortest
 * form (RFC 5952); what is no address, such as one with a zone, as it came
 */
export function plainAddress(text: string): string {
  const cut = socketAddress(text);
  if (!cut.includes(':')) return cut;
  const words = parseAddress(cut);
  if (words === undefined) return cut;
  if (words.length === 1) return [24, 16, 8, 0].map((shift) => (words[0] >>> shift) & 255).join('.');
  const groups = words.flatMap((word) => [word >>> 16, word & 0xffff]);
  return new URL(`http://[${groups.map((group) => group.toString(16)).join(':')}]`).hostname.slice(1, -1);
}
