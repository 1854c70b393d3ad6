import type { BanInForce, LiftedBan } from '../access/index.ts';

/** One token that a request takes of a bucket. */
export interface BucketCharge {
  /** the limit and all that it counts by */
  readonly limit: string;
  /** whose bucket of that limit */
  readonly client: string;
  readonly capacity: number;
  /** seconds */
  readonly window: number;
  /** seconds */
  readonly refillInterval: number;
  /** where it has no token, what follows in the request is not charged */
  readonly last: boolean;
}

/** How a bucket stands after a charge. */
export interface BucketState {
  readonly allowed: boolean;
  /** tokens times window */
  readonly parts: number;
  /** milliseconds since tokens were last credited */
  readonly creditedMsAgo: number;
}

/** When blocks become a ban. Times in seconds. */
export interface SharedBanPolicy {
  readonly banAfterBlocks: number;
  readonly banWindow: number;
}

/** Told of what others do. */
export interface SharedLimitListeners {
  onBan(ban: BanInForce): void;
  onLift(ban: LiftedBan): void;
  onChange(shared: boolean): void;
}

/** Buckets, bans and what may be used once: what all gateways share, where they share a server. */
export interface SharedLimits {
  start(listeners: SharedLimitListeners): void;
  stop(): void;
  /** whether the server is there and quick; while it is not, each gateway counts for itself */
  readonly available: boolean;
  /**
   * @param charges of one request, in order
   * @returns a state for each charge that was made, at once where the tokens were had before; undefined where no answer
   * came within 5 ms
   */
  take(
    charges: readonly BucketCharge[],
  ): readonly BucketState[] | Promise<readonly BucketState[] | undefined>;
  /** Counts a block of a client's. @returns whether it is to begin a ban */
  recordBlock(address: string, policy: SharedBanPolicy): Promise<boolean>;
  /** Tells the others of a ban that began here. */
  ban(ban: BanInForce): void;
  /** Forgets all bans: nobody is to be banned any more. */
  endBans(): void;
  /**
   * Marks as used what may be used once, such as the answer to a challenge.
   * @param forMs how long it could be used for at most
   * @returns whether it was not used before; undefined where no answer came in time
   */
  claim(token: string, forMs: number): Promise<boolean | undefined>;
}
