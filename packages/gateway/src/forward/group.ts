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

  failed(now: number): void {
    this.#failures++;
    if (this.#failures >= maxFailuresInRow) {
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

  /** @param members at least one */
  constructor(members: readonly Member[]) {
    this.members = members;
    this.#only = members.length === 1 ? members[0] : undefined;
  }

  /**
   * @param now monotonic milliseconds
   * @param not the one that has just failed
   * @returns whom to ask: one that is alive, else a standby that is, else any, for all of them being down may be a
   * mistake of the checks
   */
  pick(now: number, not?: Member): Member {
    if (this.#only !== undefined) return this.#only;
    const others = this.members.filter((member) => member !== not);
    const alive = others.filter((member) => member.available(now));
    const active = alive.filter((member) => !member.standby);
    const candidates = active.length > 0 ? active : alive.length > 0 ? alive : others;
    return this.#turn(candidates);
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
