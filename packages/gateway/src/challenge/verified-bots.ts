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

export interface VerifiedBotsOptions {
  readonly resolver: BotResolver;
  /** monotonic milliseconds */
  readonly now: () => number;
  readonly timeoutMs?: number;
  /** clients remembered */
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
    if (crawler === undefined) return undefined;
    const words = parseAddress(ip);
    // A subscriber walks through a /64 at will, and no search engine shares one.
    const key = `${crawler.name} ${words === undefined ? ip : clientKey(words)}`;
    const known = this.#known.get(key);
    if (known !== undefined && known.until > this.#options.now()) return known.verdict;
    const running = this.#underWay.get(key);
    if (running) return running;
    if (this.#late.has(key) || this.#underWay.size >= this.#options.maxLookups) return 'unproven';
    const asking = this.#inTime(key, this.#prove(ip, crawler));
    this.#underWay.set(key, asking);
    return asking;
  }

  /** A request waits for so long; the look-up goes on, and what it proves counts for those that follow. */
  #inTime(key: string, proof: Promise<BotVerdict>): Promise<BotVerdict> {
    const { promise, resolve } = Promise.withResolvers<BotVerdict>();
    const told = (verdict: BotVerdict) => {
      this.#underWay.delete(key);
      this.#remember(key, verdict);
      resolve(verdict);
    };
    let waiting = true;
    const timer = setTimeout(() => {
      waiting = false;
      if (this.#late.size < this.#options.maxLate) this.#late.add(key);
      told('unproven');
    }, this.#options.timeoutMs);
    void proof.then((verdict) => {
      clearTimeout(timer);
      if (waiting) told(verdict);
      else if (this.#late.delete(key)) this.#remember(key, verdict);
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
