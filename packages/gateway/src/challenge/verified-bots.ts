import { parseAddress } from '@portcullis/contract/access';
import { clientKey } from '../access/index.ts';
import { type Crawler, claimedCrawler } from './crawlers.ts';

/** DNS as this needs it, see {@link nameServers}. A name without records rejects. */
export interface BotResolver {
  reverse(ip: string): Promise<string[]>;
  /** the addresses of one family */
  lookup(host: string, family: 4 | 6): Promise<string[]>;
}

/** `unproven` where DNS could not be asked: neither trusted nor held against the client. */
export type BotVerdict = 'verified' | 'impostor' | 'unproven';

interface Known {
  readonly verdict: BotVerdict;
  readonly until: number;
}

const hourMs = 3_600_000;
const lifetimeMs: Record<BotVerdict, number> = {
  verified: 24 * hourMs,
  impostor: hourMs,
  unproven: 60_000,
};

/** Who says to be one. */
interface Claim {
  readonly ip: string;
  readonly crawler: Crawler;
}

export interface VerifiedBotsOptions {
  readonly resolver: BotResolver;
  /** monotonic milliseconds */
  readonly now: () => number;
  readonly timeoutMs?: number;
  /** verdicts remembered */
  readonly maxKnown?: number;
  /** look-ups that requests wait for at once: an attacker chooses how many addresses claim to be a crawler */
  readonly maxLookups?: number;
  /** look-ups beside them that nobody waits for any more, whose verdict is still kept */
  readonly maxLate?: number;
}

/**
 * Proves who is a search engine: the address resolves to a name of the engine's, and that name back to the address.
 * Names alone prove nothing, for everybody writes the reverse zone of their own addresses.
 */
export class VerifiedBots {
  readonly #options: Required<VerifiedBotsOptions>;
  readonly #known = new Map<string, Known>();
  readonly #underWay = new Map<string, Promise<BotVerdict>>();
  /** DNS may take many times as long to give up as a request waits: who is silent must not keep others unproven. */
  readonly #late = new Set<string>();

  constructor(options: VerifiedBotsOptions) {
    this.#options = { timeoutMs: 2000, maxKnown: 20_000, maxLookups: 32, maxLate: 256, ...options };
  }

  /**
   * @returns undefined where the User-Agent claims no crawler; a verdict where one is known; else the promise of
   * one, which never rejects
   */
  check(ip: string, userAgent: string): BotVerdict | undefined | Promise<BotVerdict> {
    const crawler = claimedCrawler(userAgent);
    return crawler === undefined ? undefined : this.#verdictOn({ ip, crawler });
  }

  /** A subscriber walks through a /64 at will: who is none speaks for all of it, who is proven for that address alone. */
  #verdictOn(claim: Claim): BotVerdict | Promise<BotVerdict> {
    const own = `${claim.crawler.name} ${claim.ip}`;
    const known = this.#verdict(own);
    if (known !== undefined) return known;
    const words = parseAddress(claim.ip);
    const shared = words?.length === 4 ? `${claim.crawler.name} ${clientKey(words)}/64` : own;
    const neighbour = this.#verdict(shared);
    // Where one is proven others are likely to be, and none of them speaks for the rest any more.
    if (neighbour === 'verified') return this.#underWay.get(own) ?? this.#ask(claim, own, own);
    if (neighbour !== undefined) return neighbour;
    const running = this.#underWay.get(shared);
    if (running === undefined) return this.#ask(claim, own, shared);
    return running.then((verdict) => (verdict === 'verified' ? this.#verdictOn(claim) : verdict));
  }

  #verdict(key: string): BotVerdict | undefined {
    const known = this.#known.get(key);
    return known !== undefined && known.until > this.#options.now() ? known.verdict : undefined;
  }

  /**
   * A request waits for so long; the look-up goes on, and what it proves counts for those that follow.
   * @param own what a proof is kept under
   * @param key what it is asked under, and what is no proof kept
   */
  #ask({ ip, crawler }: Claim, own: string, key: string): BotVerdict | Promise<BotVerdict> {
    if (this.#late.has(key) || this.#underWay.size >= this.#options.maxLookups) return 'unproven';
    const { promise, resolve } = Promise.withResolvers<BotVerdict>();
    this.#underWay.set(key, promise);
    const keep = (verdict: BotVerdict) => {
      this.#remember(key, verdict);
      if (verdict === 'verified') this.#remember(own, verdict);
    };
    const told = (verdict: BotVerdict) => {
      this.#underWay.delete(key);
      keep(verdict);
      resolve(verdict);
    };
    let waiting = true;
    const timer = setTimeout(() => {
      waiting = false;
      if (this.#late.size < this.#options.maxLate) this.#late.add(key);
      told('unproven');
    }, this.#options.timeoutMs);
    void this.#prove(ip, crawler).then((verdict) => {
      clearTimeout(timer);
      if (waiting) told(verdict);
      else if (this.#late.delete(key)) keep(verdict);
    });
    return promise;
  }

  async #prove(ip: string, crawler: Crawler): Promise<BotVerdict> {
    const { resolver } = this.#options;
    try {
      const names = (await resolver.reverse(ip))
        .slice(0, 4)
        .map((name) => name.toLowerCase().replace(/\.$/, ''));
      const own = names.find((name) => crawler.domains.some((domain) => name.endsWith(domain)));
      if (own === undefined) return 'impostor';
      const words = parseAddress(ip);
      const wanted = JSON.stringify(words);
      const addresses = await resolver.lookup(own, words?.length === 1 ? 4 : 6);
      return addresses.some((address) => JSON.stringify(parseAddress(address)) === wanted)
        ? 'verified'
        : 'impostor';
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      // No such name is an answer; a server that fails or is away is none.
      return code === 'ENOTFOUND' || code === 'ENODATA' ? 'impostor' : 'unproven';
    }
  }

  #remember(key: string, verdict: BotVerdict): void {
    this.#known.delete(key);
    this.#known.set(key, { verdict, until: this.#options.now() + lifetimeMs[verdict] });
    if (this.#known.size <= this.#options.maxKnown) return;
    const oldest = this.#known.keys().next();
    if (!oldest.done) this.#known.delete(oldest.value);
  }
}
