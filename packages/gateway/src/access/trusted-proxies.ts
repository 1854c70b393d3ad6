import { parseAddress } from '@portcullis/contract/access';
import type { AddressSet } from './address-set.ts';
import { plainAddress } from './plain-address.ts';

/** Who a request comes from, and by whose word. */
export interface ResolvedClient {
  readonly clientIp: string;
  /** X-Forwarded-For as the trusted peer sent it; undefined where the peer is nobody to trust */
  readonly forwardedChain: string | undefined;
  /** whether the peer is a trusted proxy: what it says of the client's connection counts */
  readonly byProxy: boolean;
}

/** Hops that are read; a longer chain is nobody's honest route. */
const maxHops = 64;

/**
 * The client is the rightmost hop that is not a trusted proxy: each hop to the right of it was written by one we
 * trust, and everything to the left is the client's own say.
 * @param peerIp the socket's other end, or what PROXY protocol named
 * @param forwardedFor all X-Forwarded-For values joined by commas, in order
 */
export function resolveClient(
  peerIp: string,
  forwardedFor: string | undefined,
  trusted: AddressSet,
): ResolvedClient {
  const direct = { clientIp: peerIp, forwardedChain: undefined, byProxy: false };
  if (trusted.size === 0) return direct;
  const peer = parseAddress(peerIp);
  if (peer === undefined || !trusted.has(peer)) return direct;
  if (forwardedFor === undefined) return { ...direct, byProxy: true };
  let clientIp = peerIp;
  let end = forwardedFor.length;
  for (let hop = 0; hop < maxHops && end > 0; hop++) {
    const comma = forwardedFor.lastIndexOf(',', end - 1);
    const address = hopAddress(forwardedFor.slice(comma + 1, end));
    const words = address === undefined ? undefined : parseAddress(address);
    // What a proxy wrote and nobody can read leaves that proxy as the last one known.
    if (address === undefined || words === undefined) break;
    clientIp = plainAddress(address);
    if (!trusted.has(words)) break;
    end = comma;
  }
  return { clientIp, forwardedChain: forwardedFor, byProxy: true };
}

/**
 * How the client came to a trusted proxy, as `X-Forwarded-Proto` says: of several the last, which that proxy wrote.
 * @returns undefined where it says neither of the two
 */
export function forwardedScheme(forwardedProto: string | undefined): 'http' | 'https' | undefined {
  const last = forwardedProto
    ?.slice(forwardedProto.lastIndexOf(',') + 1)
    .trim()
    .toLowerCase();
  return last === 'http' || last === 'https' ? last : undefined;
}

/** Some proxies add a port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function hopAddress(text: string): string | undefined {
  const hop = text.trim();
  if (hop.startsWith('[')) {
    const close = hop.indexOf(']');
    return close === -1 ? undefined : hop.slice(1, close);
  }
  const colon = hop.indexOf(':');
  const oneColon = colon !== -1 && !hop.includes(':', colon + 1);
  const address = oneColon ? hop.slice(0, colon) : hop;
  return address === '' ? undefined : address;
}
