import type { BucketState } from '@portcullis/contract/link';
import { Recent } from '../memory/index.ts';

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
  /** tokens times window: whole numbers, so that 266 credits of a 266th make one token and not a hair less */
  parts: number;
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
  readonly #buckets: Recent<Bucket>;

  constructor(policy: BucketPolicy, cap: number = maxClients) {
    this.policy = policy;
    this.#buckets = new Recent(cap);
  }

  get size(): number {
    return this.#buckets.size;
  }

  /**
   * Takes a token where there is one.
   * @param now monotonic milliseconds, so that a clock set back starves nobody
   */
  take(client: string, now: number): BucketVerdict {
    const { capacity, window } = this.policy;
    let bucket = this.#buckets.get(client);
    if (bucket === undefined) {
      bucket = { parts: capacity * window, creditedAt: now };
      this.#buckets.set(client, bucket);
    } else this.#credit(bucket, now);
    const allowed = bucket.parts >= window;
    if (allowed) bucket.parts -= window;
    return this.#verdict(bucket, allowed, now);
  }

  /** @returns whether the client has used up its tokens; takes none */
  isEmpty(client: string, now: number): boolean {
    if (this.#buckets.size === 0) return false;
    const bucket = this.#buckets.peek(client);
    if (bucket === undefined) return false;
    this.#credit(bucket, now);
    return bucket.parts < this.policy.window;
  }

  /**
   * Takes up what another keeper of the same bucket says, so that counting goes on from there should it go away.
   * @param state after its charge
   */
  adopt(client: string, { allowed, parts, creditedMsAgo }: BucketState, now: number): BucketVerdict {
    const creditedAt = now - creditedMsAgo;
    let bucket = this.#buckets.get(client);
    if (bucket === undefined) {
      bucket = { parts, creditedAt };
      this.#buckets.set(client, bucket);
    } else {
      bucket.parts = parts;
      bucket.creditedAt = creditedAt;
    }
    return this.#verdict(bucket, allowed, now);
  }

  #verdict(bucket: Bucket, allowed: boolean, now: number): BucketVerdict {
    return {
      allowed,
      remaining: Math.floor(bucket.parts / this.policy.window),
      resetSeconds: this.#secondsUntil(bucket, this.policy.capacity, now),
      retryAfterSeconds: allowed ? 0 : this.#secondsUntil(bucket, 1, now),
    };
  }

  #credit(bucket: Bucket, now: number): void {
    const { capacity, window, refillInterval } = this.policy;
    const intervals = Math.floor((now - bucket.creditedAt) / (refillInterval * 1000));
    if (intervals <= 0) return;
    bucket.creditedAt += intervals * refillInterval * 1000;
    bucket.parts = Math.min(capacity * window, bucket.parts + intervals * capacity * refillInterval);
  }

  #secondsUntil(bucket: Bucket, tokens: number, now: number): number {
    const { capacity, window, refillInterval } = this.policy;
    const missing = tokens * window - bucket.parts;
    if (missing <= 0) return 0;
    const intervals = Math.ceil(missing / (capacity * refillInterval));
    return Math.max(1, Math.ceil((bucket.creditedAt + intervals * refillInterval * 1000 - now) / 1000));
  }
}
