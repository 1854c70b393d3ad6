import type { AddressWords } from '@portcullis/contract/access';

/**
 * What counts as one client: an IPv4 address, or an IPv6 /64, which is what one subscriber gets and can walk
 * through at will (RFC 6177 §2).
 */
export function clientKey(words: AddressWords): string {
  return words.length === 1 ? words[0].toString(36) : `${words[0].toString(36)}:${words[1].toString(36)}`;
}

/** 127.0.0.0/8 and ::1 */
export function isLoopback(words: AddressWords): boolean {
  if (words.length === 1) return words[0] >>> 24 === 127;
  return words[0] === 0 && words[1] === 0 && words[2] === 0 && words[3] === 1;
}
