import type { Exchange } from '../exchange/index.ts';
import type { UpstreamFailure } from './relay.ts';
import type { Upstream } from './upstream.ts';

/** Failures in a row that take an upstream out of the rotation, and for how long. */
const maxFailuresInRow = 3;
const ejectionMs = 10_000;

/** One upstream of a site. */
export class Member {
  readonly upstream: Upstream;
  readonly weight: number;
  /** serves only while no other one can */
  readonly standby: boolean;
  /** what active checks say */
  healthy = true;
  /** smooth weighted round robin */
  credit = 0;
  #failures = 0;
  /** whose requests they were; undefined where they are not of one client alone */
  #failedFor: string | undefined;
  #ejectedUntil = 0;

  constructor(upstream: Upstream, weight: number, standby: boolean) {
    this.upstream = upstream;
    this.weight = weight;
    this.standby = standby;
  }

  /** @param now monotonic milliseconds: a clock that is set back must not keep anyone out for a day */
  available(now: number): boolean {
    return this.healthy && this.#ejectedUntil <= now;
  }

  answered(): void {
    if (this.#failures !== 0) this.#failures = 0;
  }

  /**
   * Counts what went wrong with a request against the upstream, where it was not the client.
   * @param sent whether the upstream may have seen something of the request
   */
  broke({ client }: Exchange, { kind }: UpstreamFailure, sent: boolean): void {
    if (kind === 'client-gone' || kind === 'crowded') return;
    // Not from when the request began: by then the time may be over that it is left out for.
    this.failed(performance.now(), sent ? client : undefined);
  }

  /**
   * @param client whose request it was, where the request itself may be what the upstream failed at: of one client
   * alone, such failures take nobody out. nginx counts them, and there a client that knows one page which fails takes
   * the site's upstreams out one after the other.
   */
  failed(now: number, client?: string): void {
    this.#failedFor = this.#failures === 0 || this.#failedFor === client ? client : undefined;
    this.#failures++;
    if (this.#failures >= maxFailuresInRow && this.#failedFor === undefined) {
      this.#ejectedUntil = now + ejectionMs;
      this.#failures = 0;
    }
  }
}

/** The upstreams of a site, taken in turn by weight while they are alive. */
export class UpstreamGroup {
  readonly members: readonly Member[];
  /** what most sites have, at hand without the list */
  readonly #only: Member | undefined;
  /** whether a client stays with one of them */
  readonly keepsClients: boolean;

  /** @param members at least one */
  constructor(members: readonly Member[], keepsClients = false) {
    this.members = members;
    this.keepsClients = keepsClients && members.length > 1;
    this.#only = members.length === 1 ? members[0] : undefined;
  }

  /**
   * @param now monotonic milliseconds
   * @param client who asks, where the group keeps clients; the same one is led to the same member while that is alive
   * @param not the one that has just failed
   * @returns whom to ask: one that is alive, else a standby that is, else any, for all of them being down may be a
   * mistake of the checks. Of those, where clients are not kept, one with a connection free before one to wait for
   */
  pick(now: number, client: string | undefined, not?: Member): Member {
    if (this.#only !== undefined) return this.#only;
    const others = this.members.filter((member) => member !== not);
    const alive = others.filter((member) => member.available(now));
    const active = alive.filter((member) => !member.standby);
    const candidates = active.length > 0 ? active : alive.length > 0 ? alive : others;
    if (client !== undefined) return rendezvous(candidates, client);
    const ready = candidates.filter((member) => member.upstream.places.hasRoom);
    return this.#turn(ready.length > 0 ? ready : candidates);
  }

  /** nginx's smooth weighted round robin: 5, 1, 1 gives a a b a c a a rather than a a a a a b c. */
  #turn(candidates: readonly Member[]): Member {
    let total = 0;
    let best: Member | undefined;
    for (const member of candidates) {
      member.credit += member.weight;
      total += member.weight;
      if (best === undefined || member.credit > best.credit) best = member;
    }
    if (best === undefined) throw new Error('a site has at least one upstream');
    best.credit -= total;
    return best;
  }
}

/**
 * Each member draws a lot for the client, the highest wins: every gateway comes to the same without asking another, and
 * when a member goes away its own clients alone move.
 * @see Thaler and Ravishankar, 'Using name-based mappings to increase hit rates', 1998; weighted as by Schindelhauer and
 *   Schomaker, 2005
 */
function rendezvous(candidates: readonly Member[], client: string): Member {
  let best: Member | undefined;
  let highest = -1;
  for (const member of candidates) {
    const share = (hashOf(client, hashOf(member.upstream.origin)) + 0.5) / 2 ** 32;
    const lot = -member.weight / Math.log(share);
    if (lot > highest) {
      best = member;
      highest = lot;
    }
  }
  if (best === undefined) throw new Error('a site has at least one upstream');
  return best;
}

/** FNV-1a, then mixed as MurmurHash3 ends: addresses that differ in their last bit come out far apart. */
function hashOf(text: string, seed = 0x811c9dc5): number {
  let hash = seed;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
