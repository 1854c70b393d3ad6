import { parseAddress } from '@portcullis/contract/access';

/**
 * What one caller can have of addresses: an IPv4 address, or of IPv6 the network of 64 bits that every line gets, in
 * which whoever has one has all.
 * @see RFC 6177, RFC 4291 §2.5.4
 */
export function callerNetwork(address: string): string {
  const words = parseAddress(address);
  if (words === undefined) return address;
  if (words.length === 1) return String(words[0]);
  return `${words[0].toString(16)}:${words[1].toString(16)}/64`;
}
