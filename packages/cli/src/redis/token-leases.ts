import type { BucketCharge, BucketState } from '@portcullis/contract/link';

/** How long leased tokens may be spent, in milliseconds; the script holds room for them until they cannot be any more. */
export const leaseMs = 1000;
/** Who was silent for so long is as good as new. */
const quietMs = 2 * leaseMs;
/** Tokens of one lease. */
const maxLease = 64;
const firstLease = 9;
/** Buckets that are remembered, and as many again that were asked for before them; an attacker chooses how many there are. */
const maxNames = 20_000;

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
  parked: (() => void)[] | undefined;
}

type Names = Map<string, Map<string, Holding>>;

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
 * not heard of for two seconds gets no more than the bucket regains in one, and from then on as many tokens as were
 * spent of the last lease, or twice as many and some where they did not last.
 */
export class TokenLeases {
  readonly #nameOf: (limit: string, client: string) => string;
  #recent: Names = new Map();
  #before: Names = new Map();
  #names = 0;
  #turnedAt = 0;
  /** whether who is forgotten was quiet for so long that what it had leased is regained */
  #lasting = true;

  /** @param nameOf the bucket's key on the server */
  constructor(nameOf: (limit: string, client: string) => string) {
    this.#nameOf = nameOf;
  }

  /** By limit and client apart, for putting the two into one text costs more than finding it. */
  of({ limit, client }: BucketCharge, now: number): Holding {
    let clients = this.#recent.get(limit);
    let holding = clients?.get(client);
    if (holding !== undefined) return holding;
    if (this.#names >= maxNames) {
      this.#turn(now);
      clients = undefined;
    }
    if (clients === undefined) {
      clients = new Map();
      this.#recent.set(limit, clients);
    }
    holding = this.#before.get(limit)?.get(client) ?? newHolding(this.#nameOf(limit, client));
    clients.set(client, holding);
    this.#names++;
    return holding;
  }

  /** @see beginAsking */
  begin(holding: Holding, charge: BucketCharge, now: number): Asking | undefined {
    return beginAsking(holding, now, this.#lasting ? firstOf(charge) : 0);
  }

  /** In two halves, of which the older is let go as a whole: to delete one by one leaves garbage, see docs/decisions/024. */
  #turn(now: number): void {
    this.#lasting = now - this.#turnedAt >= quietMs;
    this.#turnedAt = now;
    this.#before = this.#recent;
    this.#recent = new Map();
    this.#names = 0;
  }
}

const newHolding = (key: string): Holding => ({
  key,
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
  parked: undefined,
});

/**
 * What a bucket regains while a lease lasts. So much can be given to somebody unknown: who does not come back, or
 * to another gateway, and is forgotten here, has it again by the time that the next such lease can be had.
 */
const firstOf = ({ capacity, window }: BucketCharge): number =>
  Math.min(firstLease, Math.floor((capacity / window) * (leaseMs / 1000)));

export const canSpend = ({ left, until }: Holding, now: number): boolean => left > 0 && now < until;

/** Spends a leased token. @returns how the bucket stands, as of when the lease was given */
export function spend(holding: Holding, { window }: BucketCharge, now: number): BucketState {
  holding.left--;
  return stateOf(holding, true, window, now);
}

/**
 * @param first tokens for whom nothing was heard of
 * @returns what to say to the server; undefined while the bucket is being asked
 * already or some are left. After any other answer the holding waits for {@link endAsking}
 */
function beginAsking(holding: Holding, now: number, first: number): Asking | undefined {
  if (holding.asking || canSpend(holding, now)) return undefined;
  const { left: back, span } = holding;
  const spent = holding.size - back;
  const silentMs = now - holding.askedAt;
  if (now < holding.enoughAt) holding.size = 0;
  else if (silentMs < leaseMs) holding.size = Math.min(maxLease, holding.size * 2 + firstLease);
  else holding.size = silentMs < quietMs ? spent : first;
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
