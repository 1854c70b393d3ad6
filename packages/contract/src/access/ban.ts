import { z } from 'zod';
import { parseAddress } from './parse-network.ts';

const milliseconds = z.number().int().min(0);

/** A ban as the gateway tells of it where it began. */
export const Ban = z.object({
  /** unique for ever; a repeat of the same id is the same ban */
  id: z.string().min(1).max(64),
  /** whom it keeps out, as {@link clientNetwork} writes it */
  address: z.string().max(64),
  /** whose request began it */
  clientIp: z.string().max(64),
  /** Unix milliseconds, by the gateway's clock */
  since: milliseconds,
  until: milliseconds,
  /** of the request that began it */
  siteId: z.string().max(64).optional(),
  /** one sentence: how many blocks, and what the last one was for */
  reason: z.string().max(512),
});
export type Ban = z.infer<typeof Ban>;

/** What gateways need of a ban that began elsewhere. */
export const BanInForce = Ban.pick({ id: true, address: true }).extend({
  /** milliseconds that it still lasts */
  forMs: milliseconds,
});
export type BanInForce = z.infer<typeof BanInForce>;

/** Which ban ended before its time. */
export const LiftedBan = Ban.pick({ id: true, address: true });
export type LiftedBan = z.infer<typeof LiftedBan>;

/** A ban as a call answers it. */
export const BanAnswer = z.object({
  id: z.string(),
  /** an address, or the /64 of IPv6 that counts as one client */
  address: z.string(),
  /** whose request began it: what its events are found by */
  clientIP: z.string(),
  since: z.string(),
  until: z.string(),
  siteId: z.string().optional(),
  reason: z.string(),
});
export type BanAnswer = z.infer<typeof BanAnswer>;

/** The bans in force, the newest first. */
export const BanList = z.object({
  bans: z.array(BanAnswer),
  /** how many there are, also of those that are left out */
  total: z.number().int(),
});
export type BanList = z.infer<typeof BanList>;

export const BanQuery = z.object({
  /** only the ban that keeps this address out */
  ip: z.string().max(64).optional(),
});

/**
 * Whom a ban of an address keeps out: the IPv4 address itself, or the IPv6 /64, which is what one subscriber gets and
 * can walk through at will (RFC 6177 §2).
 * @returns undefined where the text is no address
 */
export function clientNetwork(address: string): string | undefined {
  const words = parseAddress(address);
  if (words === undefined) return undefined;
  const [first, second] = words;
  if (second === undefined)
    return [first >>> 24, (first >>> 16) & 255, (first >>> 8) & 255, first & 255].join('.');
  const groups = [first >>> 16, first & 0xffff, second >>> 16, second & 0xffff];
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`;
}
