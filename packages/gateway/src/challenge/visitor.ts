import type { AddressWords } from '@portcullis/contract/access';

/** Whom a challenge is put to, as far as a pass binds to them. */
export interface Visitor {
  readonly siteId: string;
  readonly address: AddressWords;
  readonly userAgent: string;
}

/**
 * What a pass is bound to: the site, the network (IPv4 /24, IPv6 /64: a phone may change its address within one)
 * and the browser.
 */
export function bindingOf({ siteId, address, userAgent }: Visitor): string[] {
  const network =
    address.length === 1
      ? (address[0] >>> 8).toString(16)
      : `${address[0].toString(16)}:${address[1].toString(16)}`;
  return [siteId, network, userAgent];
}
