import type { BucketCharge, BucketState } from '@portcullis/contract/link';

/** How long leased tokens may be spent, in milliseconds; the script holds room for them until they cannot be any more. */
export const leaseMs = 1000;
/** Tokens of one lease. */
const maxLease = 64;
const firstLease = 3;
const maxNames = 2000;

/** What a gateway has of one bucket. Times are monotonic milliseconds. */
export interface Holding {
  /** of the bucket on the server */
  readonly key: string;
  /** tokens that are taken from the bucket and not spent yet */
  left: number;
  until: number;
  /** as the server last said, without what is left here */
  parts: number;
  creditedAt: number;
  /** of the last lease */
  size: number;
  /** of the server's time, in which that was given */
  span: number;
  askedAt: number;
  /** whether the server is being asked, maybe for a lease */
  asking: boolean;
  /** whether it said something when it was last asked */
  answered: boolean;
  /** before that no lease is asked for: there was too little */
  enoughAt: number;
  /** what goes on once a lease that is being asked for is there, or is not */
  readonly parked: (() => void)[];
}

/** What a gateway says of its leases when it asks for a token. */
export interface Asking {
  /** tokens to lease beside the one that a request needs now */
  readonly wanted: number;
  /** tokens of the last lease that were spent, and those that will not be any more */
  readonly spent: number;
  readonly back: number;
  readonly span: number;
}

/** Asks for the one token alone. */
export const oneToken: Asking = { wanted: 0, spent: 0, back: 0, span: 0 };

/**
 * Tokens that a gateway takes of a bucket for requests to come, so that a busy client's are answered without asking.
 * They are gone from the bucket when they come, so all gateways together let nobody have more than there is. Who was
 * not heard of for two seconds gets no lease, and from then on as many tokens as were spent of the last one, or twice
 * as many where they did not last.
 */
export class TokenLeases {
  readonly #nameOf: (limit: string, client: string) => string;
  readonly #holdings = new Map<string, Map<string, Holding>>();

  /** @param nameOf the bucket's key on the server */
  constructor(nameOf: (limit: string, client: string) => string) {
    this.#nameOf = nameOf;
  }

  /** By limit and client apart, for putting the two into one text costs more than finding it. */
  of({ limit, client }: BucketCharge): Holding {
    let clients = this.#holdings.get(limit);
    if (clients === undefined || clients.size >= maxNames) {
      if (this.#holdings.size >= maxNames) this.#holdings.clear();
      clients = new Map();
      this.#holdings.set(limit, clients);
    }
    let holding = clients.get(client);
    if (holding === undefined) {
      holding = {
        key: this.#nameOf(limit, client),
        left: 0,
        until: 0,
        parts: 0,
        creditedAt: 0,
        size: 0,
        span: 0,
        askedAt: Number.NEGATIVE_INFINITY,
        asking: false,
        answered: true,
        enoughAt: 0,
        parked: [],
      };
      clients.set(client, holding);
    }
    return holding;
  }
}

export const canSpend = ({ left, until }: Holding, now: number): boolean => left > 0 && now < until;

/** Spends a leased token. @returns how the bucket stands, as of when the lease was given */
export function spend(holding: Holding, { window }: BucketCharge, now: number): BucketState {
  holding.left--;
  return stateOf(holding, true, window, now);
}

/**
 * @returns what to say to the server; undefined while the bucket is being asked
 * already or some are left. After any other answer the holding waits for {@link endAsking}
 */
export function beginAsking(holding: Holding, now: number): Asking | undefined {
  if (holding.asking || canSpend(holding, now)) return undefined;
  const { left: back, span } = holding;
  const spent = holding.size - back;
  const silentMs = now - holding.askedAt;
  if (now < holding.enoughAt) holding.size = 0;
  else if (silentMs < leaseMs) holding.size = Math.min(maxLease, holding.size * 2 + firstLease);
  else holding.size = silentMs < 2 * leaseMs ? spent : 0;
  holding.askedAt = now;
  holding.left = 0;
  holding.asking = true;
  return { wanted: holding.size, spent, back, span };
}

/** Whether a lease is on its way. */
export const isLeasing = ({ asking, size }: Holding): boolean => asking && size > 0;

/** @param answer tokens that the server gave and the span they are of; undefined where it did not answer in time */
export function endAsking(
  holding: Holding,
  answer: { readonly leased: number; readonly span: number } | undefined,
): void {
  const { leased, span } = answer ?? { leased: 0, span: 0 };
  if (holding.size > 0 && leased === 0) holding.enoughAt = holding.askedAt + leaseMs;
  holding.asking = false;
  holding.answered = answer !== undefined;
  holding.size = leased;
  holding.left = leased;
  holding.span = span;
  holding.until = holding.askedAt + leaseMs;
}

/** Takes up how the bucket stands on the server. @returns the same with what is left here */
export function takeUp(
  holding: Holding,
  { window }: BucketCharge,
  said: BucketState,
  now: number,
): BucketState {
  holding.parts = said.parts;
  holding.creditedAt = now - said.creditedMsAgo;
  return stateOf(holding, said.allowed, window, now);
}

function stateOf(
  { parts, left, creditedAt }: Holding,
  allowed: boolean,
  window: number,
  now: number,
): BucketState {
  return { allowed, parts: parts + left * window, creditedMsAgo: now - creditedAt };
}
