import type { BucketCharge, BucketState, SharedLimits } from '@portcullis/contract/link';
import type { SecuritySettings } from '@portcullis/contract/settings';
import type { Site } from '@portcullis/contract/sites';
import { canonicalPath } from '@portcullis/engine';
import type { Mode, Sensitivity } from '@portcullis/engine/vocabulary';
import { isStaticAsset } from './static-asset.ts';
import { type BucketVerdict, TokenBuckets } from './token-buckets.ts';

/** What limits ask of a request. */
export interface LimitedRequest {
  /** who counts as one client, see access/client-key */
  readonly client: string;
  readonly method: string;
  /** origin form */
  readonly target: string;
  /** @returns the value of a header by its lower-case name */
  header(name: string): string | undefined;
}

export interface ExceededLimit {
  readonly bucket: string;
  /** what follows: `block` answers 429 */
  readonly mode: Mode;
  readonly retryAfterSeconds: number;
}

export interface LimitVerdict {
  /** RateLimit-Policy and RateLimit, names and values in turn; empty where nothing was counted */
  readonly headers: readonly string[];
  readonly exceeded: ExceededLimit | undefined;
  /** whether it passed by the site's limit as a static file; what was no such file is to be told, see {@link SiteLimits.wasNoFile} */
  readonly free: boolean;
}

interface Limit {
  readonly name: string;
  readonly mode: Mode;
  readonly buckets: TokenBuckets;
  /** what the buckets are known by wherever they are kept */
  readonly identity: string;
  readonly path: string | undefined;
  readonly header: string | undefined;
}

/** What a request owes to a limit that it falls under, in the words of those who keep buckets. */
interface Charge extends BucketCharge {
  readonly of: Limit;
}

/** Member by member, for it is made for every request: to spread the policy costs as much as to count. */
function chargeOf(limit: Limit, client: string): Charge {
  const { capacity, window, refillInterval } = limit.buckets.policy;
  const last = limit.mode === 'block';
  return { limit: limit.identity, client, capacity, window, refillInterval, last, of: limit };
}

const nothing: LimitVerdict = { headers: [], exceeded: undefined, free: false };
const fileAlone: LimitVerdict = { ...nothing, free: true };

/** The buckets of all sites. Outlives reloads, so that saving a site hands nobody a full bucket. */
export class LimitRegistry {
  #buckets = new Map<string, TokenBuckets>();
  #kept = new Map<string, TokenBuckets>();

  /** To be called before a configuration is compiled; what it then does not ask for is let go by {@link settle}. */
  begin(): void {
    this.#kept = new Map();
  }

  settle(): void {
    this.#buckets = this.#kept;
  }

  /** @returns the buckets of a limit: the ones in use where the limit is the same, else new ones */
  bucketsOf(key: string, policy: TokenBuckets['policy']): TokenBuckets {
    const identity = identityOf(key, policy);
    const buckets = this.#kept.get(identity) ?? this.#buckets.get(identity) ?? new TokenBuckets(policy);
    this.#kept.set(identity, buckets);
    return buckets;
  }

  keep(identity: string, buckets: TokenBuckets): void {
    this.#kept.set(identity, buckets);
  }
}

const identityOf = (key: string, { capacity, window, refillInterval }: TokenBuckets['policy']) =>
  JSON.stringify([key, capacity, window, refillInterval]);

/** How much of the installation's limit a site's `rate_limiting` category allows. */
const shareBySensitivity: Record<Sensitivity, number> = { low: 2, medium: 1, high: 0.5 };

/** @returns the limits of a site; undefined where it has none, so that no request looks for them */
export function siteLimits(...of: ConstructorParameters<typeof SiteLimits>): SiteLimits | undefined {
  const limits = new SiteLimits(...of);
  return limits.isEmpty ? undefined : limits;
}

/** All limits of one site, compiled. */
export class SiteLimits {
  readonly #limits: readonly Limit[];
  /** those that the operator set for a path or a header: nothing passes them by */
  readonly #named: readonly Limit[];
  /** how often a client's requests for static files may turn out to be for something else */
  readonly #disguises: { readonly buckets: TokenBuckets; readonly identity: string } | undefined;
  readonly #policyHeader: string;

  /** The switch in the security settings turns off every limit of every site. */
  constructor(
    site: Pick<Site, 'id' | 'rate_limit' | 'protection_config'>,
    security: Pick<SecuritySettings, 'rateLimitEnabled' | 'requestsPerMinute'>,
    registry: LimitRegistry,
  ) {
    this.#limits = security.rateLimitEnabled ? limitsOf(site, security, registry) : [];
    this.#named = this.#limits.filter(({ path, header }) => path !== undefined || header !== undefined);
    const general = this.#limits.find((limit) => !this.#named.includes(limit));
    if (general !== undefined) {
      const scope = JSON.stringify([site.id, 'disguised']);
      const { policy } = general.buckets;
      const buckets = registry.bucketsOf(scope, policy);
      this.#disguises = { buckets, identity: identityOf(scope, policy) };
    }
    this.#policyHeader = this.#limits.map(({ name, buckets }) => policyItem(name, buckets)).join(', ');
  }

  get isEmpty(): boolean {
    return this.#limits.length === 0;
  }

  /** Says that its buckets stay in use, see {@link LimitRegistry.begin}. */
  keepIn(registry: LimitRegistry): void {
    for (const { identity, buckets } of this.#limits) registry.keep(identity, buckets);
    if (this.#disguises) registry.keep(this.#disguises.identity, this.#disguises.buckets);
  }

  /** Takes a token of every limit that the request falls under, up to the first that has none. */
  take(request: LimitedRequest, now: number): LimitVerdict {
    const free = this.#isFree(request, now);
    const charges = this.#chargesOf(request, free);
    return this.#verdictOf(charges, free, ({ of, client }) => of.buckets.take(client, now));
  }

  /**
   * As {@link take}, of buckets that all gateways share; of our own where those give no answer in time.
   * @param now monotonic milliseconds
   */
  takeShared(
    request: LimitedRequest,
    now: number,
    shared: SharedLimits,
  ): LimitVerdict | Promise<LimitVerdict> {
    const free = this.#isFree(request, now);
    const charges = this.#chargesOf(request, free);
    if (charges.length === 0) return free ? fileAlone : nothing;
    const adopt = (states: readonly BucketState[]) => this.#adopted(charges, states, { free, now });
    const taken = shared.take(charges);
    if (!(taken instanceof Promise)) return adopt(taken);
    return taken.then((states) => (states === undefined ? this.take(request, now) : adopt(states)));
  }

  #adopted(
    charges: readonly Charge[],
    states: readonly BucketState[],
    { free, now }: { readonly free: boolean; readonly now: number },
  ): LimitVerdict {
    const made = states.length === charges.length ? charges : charges.slice(0, states.length);
    return this.#verdictOf(made, free, ({ of: { buckets }, client }, index) => {
      const state = states[index];
      return state ? buckets.adopt(client, state, now) : buckets.take(client, now);
    });
  }

  /**
   * The upstream answered a request for a static file with something else, as where `/api/users.css` is `/api/users`.
   * Who does that as often as the site's limit allows requests is charged for static files too, until the bucket
   * fills again.
   */
  wasNoFile(client: string, now: number): void {
    this.#disguises?.buckets.take(client, now);
  }

  #isFree({ method, target, client }: LimitedRequest, now: number): boolean {
    return isStaticAsset(method, target) && this.#disguises?.buckets.isEmpty(client, now) !== true;
  }

  #chargesOf(request: LimitedRequest, free: boolean): Charge[] {
    const charges: Charge[] = [];
    for (const limit of free ? this.#named : this.#limits) {
      const client = keyUnder(limit, request);
      if (client !== undefined) charges.push(chargeOf(limit, client));
    }
    return charges;
  }

  #verdictOf(
    charges: readonly Charge[],
    free: boolean,
    take: (charge: Charge, index: number) => BucketVerdict,
  ): LimitVerdict {
    let state = '';
    let exceeded: ExceededLimit | undefined;
    for (const [index, charge] of charges.entries()) {
      const { of: limit } = charge;
      const verdict = take(charge, index);
      const item = `"${limit.name}";r=${verdict.remaining};t=${verdict.resetSeconds}`;
      state = state === '' ? item : `${state}, ${item}`;
      if (verdict.allowed) continue;
      exceeded = stricter(exceeded, limit, verdict);
      if (limit.mode === 'block') break;
    }
    if (state === '') return free ? fileAlone : nothing;
    return { headers: ['RateLimit-Policy', this.#policyHeader, 'RateLimit', state], exceeded, free };
  }
}

function limitsOf(
  { id, rate_limit, protection_config }: Pick<Site, 'id' | 'rate_limit' | 'protection_config'>,
  security: Pick<SecuritySettings, 'requestsPerMinute'>,
  registry: LimitRegistry,
): Limit[] {
  const limits: Limit[] = [];
  const add = (name: string, mode: Mode, policy: TokenBuckets['policy'], path?: string, header?: string) => {
    const scope = JSON.stringify([id, name, path, header]);
    const lower = header?.toLowerCase();
    limits.push({
      name: quotable(name),
      mode,
      buckets: registry.bucketsOf(scope, policy),
      identity: identityOf(scope, policy),
      path,
      header: lower,
    });
  };
  if (rate_limit.enabled) {
    add('site', 'block', policyOf(rate_limit));
    for (const bucket of rate_limit.buckets) {
      add(bucket.name, 'block', policyOf(bucket), bucket.path, bucket.header);
    }
  }
  const category = protection_config.rate_limiting;
  if (category.enabled) {
    const share = shareBySensitivity[category.sensitivity];
    const capacity = Math.max(1, Math.round(security.requestsPerMinute * share));
    add('installation', category.mode, { capacity, window: 60, refillInterval: 1 });
  }
  return limits;
}

const policyOf = (bucket: { capacity: number; window: number; refill_interval: number }) => ({
  capacity: bucket.capacity,
  window: bucket.window,
  refillInterval: bucket.refill_interval,
});

/** A structured-field string takes printable ASCII without quotes and backslashes: RFC 9651 §3.3.3. */
const quotable = (name: string) => name.replaceAll(/[^\x20-\x7e]|["\\]/g, '_');

/** @see draft-ietf-httpapi-ratelimit-headers-10 §3: `q` requests in `w` seconds */
const policyItem = (name: string, { policy }: TokenBuckets) =>
  `"${name}";q=${policy.capacity};w=${policy.window}`;

/** @returns what the limit counts the request by, or undefined where it does not fall under it */
function keyUnder(limit: Limit, request: LimitedRequest): string | undefined {
  if (limit.path !== undefined && !isUnder(limit.path, request.target)) return undefined;
  if (limit.header === undefined) return request.client;
  const value = request.header(limit.header);
  // A client's own words, so of bounded length; who sends none is counted by address.
  return value === undefined || value === '' ? request.client : `=${value.slice(0, 256)}`;
}

/** In any spelling that an application may take for the same path, also where it does not tell cases apart. */
function isUnder(prefix: string, target: string): boolean {
  if (target.startsWith(prefix)) return true;
  return canonicalPath(target).toLowerCase().startsWith(prefix.toLowerCase());
}

const strictness: Record<Mode, number> = { log: 0, challenge: 1, block: 2 };

function stricter(before: ExceededLimit | undefined, limit: Limit, verdict: BucketVerdict): ExceededLimit {
  if (before !== undefined && strictness[before.mode] >= strictness[limit.mode]) return before;
  return { bucket: limit.name, mode: limit.mode, retryAfterSeconds: verdict.retryAfterSeconds };
}
