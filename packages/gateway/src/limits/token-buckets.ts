/** `capacity` tokens, regained at capacity ÷ window a second, credited every `refillInterval` seconds. */
export interface BucketPolicy {
  readonly capacity: number;
  /** seconds */
  readonly window: number;
  /** seconds */
  readonly refillInterval: number;
}

/** What a bucket says of one request. Times in whole seconds, rounded up. */
export interface BucketVerdict {
  readonly allowed: boolean;
  /** whole tokens left */
  readonly remaining: number;
  /** until the bucket is full again */
  readonly resetSeconds: number;
  /** until a token is there; 0 where one is */
  readonly retryAfterSeconds: number;
}

interface Bucket {
  tokens: number;
  /** when tokens were last credited, milliseconds */
  creditedAt: number;
}

/** Clients that one limit remembers; an attacker chooses how many there are. */
export const maxClients = 100_000;

/**
 * One token bucket for each client. Memory is bounded: beyond the cap the client that has been quiet for longest
 * is forgotten, and would find a full bucket, which after a while of silence it has anyway.
 */
export class TokenBuckets {
  readonly policy: BucketPolicy;
  readonly #maxClients: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(policy: BucketPolicy, cap: number = maxClients) {
    this.policy = policy;
    this.#maxClients = cap;
  }

  get size(): number {
    return this.#buckets.size;
  }

  /**
   * Takes a token where there is one.
   * @param now monotonic milliseconds, so that a clock set back starves nobody
   */
  take(client: string, now: number): BucketVerdict {
    const { capacity } = this.policy;
    let bucket = this.#buckets.get(client);
    if (bucket === undefined) {
      bucket = { tokens: capacity, creditedAt: now };
      this.#evict();
    } else {
      this.#credit(bucket, now);
      // Last in the order of insertion is the one seen last.
      this.#buckets.delete(client);
    }
    this.#buckets.set(client, bucket);
    const allowed = bucket.tokens >= 1;
    if (allowed) bucket.tokens--;
    return {
      allowed,
      remaining: Math.floor(bucket.tokens),
      resetSeconds: this.#secondsUntil(bucket, capacity, now),
      retryAfterSeconds: allowed ? 0 : this.#secondsUntil(bucket, 1, now),
    };
  }

  #credit(bucket: Bucket, now: number): void {
    const intervalMs = this.policy.refillInterval * 1000;
    const intervals = Math.floor((now - bucket.creditedAt) / intervalMs);
    if (intervals <= 0) return;
    bucket.creditedAt += intervals * intervalMs;
    bucket.tokens = Math.min(this.policy.capacity, bucket.tokens + intervals * this.#perInterval);
  }

  get #perInterval(): number {
    const { capacity, window, refillInterval } = this.policy;
    return (capacity / window) * refillInterval;
  }

  #secondsUntil(bucket: Bucket, tokens: number, now: number): number {
    if (bucket.tokens >= tokens) return 0;
    // A thousandth of slack: 60 credits of 100 ÷ 60 add up to a hair less than 100.
    const intervals = Math.ceil((tokens - bucket.tokens) / this.#perInterval - 1e-3);
    const at = bucket.creditedAt + Math.max(1, intervals) * this.policy.refillInterval * 1000;
    return Math.max(1, Math.ceil((at - now) / 1000));
  }

  #evict(): void {
    if (this.#buckets.size < this.#maxClients) return;
    const oldest = this.#buckets.keys().next();
    if (!oldest.done) this.#buckets.delete(oldest.value);
  }
}
