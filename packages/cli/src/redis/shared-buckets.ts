import { setImmediate } from 'node:timers';
import type { BucketCharge, BucketState } from '@portcullis/contract/link';
import { argumentOf } from './bucket-script.ts';
import {
  canSpend,
  endAsking,
  type Holding,
  isLeasing,
  oneToken,
  spend,
  TokenLeases,
  takeUp,
} from './token-leases.ts';

/** What a request may wait for the server, and what a lease that nobody waits for may wait for company. */
const patienceMs = 5;
/** Requests of one script run: Redis serves nobody else meanwhile. */
const maxWaiting = 256;

type States = readonly BucketState[];

interface Waiting {
  readonly charges: readonly BucketCharge[];
  readonly holdings: readonly Holding[];
  readonly resolve: (states: States | undefined) => void;
  /** whether it waited for a lease before, which was not for it */
  waited: boolean;
}

/** A lease to be asked for before somebody needs it. */
interface Ahead {
  readonly charge: BucketCharge;
  readonly holding: Holding;
}

/** One run of the script. */
interface Question {
  readonly askedAt: number;
  readonly asked: readonly Waiting[];
  /** leases among it, and at which charge of the answer */
  readonly leading: readonly { readonly holding: Holding; readonly at: number }[];
  /** those after what {@link asked} has, which charge nothing */
  readonly ahead: readonly Ahead[];
  settled: boolean;
}

export interface SharedBucketOptions {
  /** @returns the name of a bucket on the server */
  readonly nameOf: (limit: string, client: string) => string;
  /** Runs the script of the buckets. */
  readonly run: (keys: readonly string[], fields: readonly string[]) => Promise<readonly number[]>;
  /** Told of each run whether it answered in time. */
  readonly note: (answered: boolean) => void;
}

/**
 * Buckets on the server. A request whose tokens are leased goes on at once; what the others of one turn of the event loop
 * ask goes there as one script, and comes back in one answer. Who spends the last of a lease has the next one asked for with
 * whatever is asked soon after, so that whoever comes again seldom waits, and seldom costs a message.
 */
export class SharedBuckets {
  readonly #options: SharedBucketOptions;
  readonly #leases: TokenLeases;
  #waiting: Waiting[] = [];
  #ahead: Ahead[] = [];
  /** of which no answer came yet, oldest first, and settled ones behind such */
  readonly #questions: Question[] = [];
  #watching = false;

  constructor(options: SharedBucketOptions) {
    this.#options = options;
    this.#leases = new TokenLeases(options.nameOf);
  }

  /** @see SharedLimits.take */
  take(charges: readonly BucketCharge[]): States | Promise<States | undefined> {
    const now = performance.now();
    const holdings = charges.map((charge) => this.#leases.of(charge, now));
    if (canSpendAll(holdings, now)) return this.#spendAll(charges, holdings, now);
    return new Promise((resolve) => this.#wait({ charges, holdings, resolve, waited: false }));
  }

  #spendAll(charges: readonly BucketCharge[], holdings: readonly Holding[], now: number): States {
    return charges.map((charge, index) => {
      const holding = holdings[index] as Holding;
      const state = spend(holding, charge, now);
      if (holding.left === 0) this.#askAhead({ charge, holding });
      return state;
    });
  }

  #wait(waiting: Waiting): void {
    // A lease that is on its way may have a token for it too.
    const lease = waiting.waited ? undefined : waiting.holdings.find(isLeasing);
    if (lease !== undefined) {
      waiting.waited = true;
      lease.parked ??= [];
      lease.parked.push(() => this.#goOn(waiting, lease));
      return;
    }
    this.#waiting.push(waiting);
    if (this.#waiting.length === 1) setImmediate(() => this.#ask());
    else this.#askIfMany();
  }

  #askAhead(ahead: Ahead): void {
    this.#ahead.push(ahead);
    this.#watch(patienceMs);
    this.#askIfMany();
  }

  #askIfMany(): void {
    if (this.#waiting.length + this.#ahead.length >= maxWaiting) this.#ask();
  }

  /** Where the server did not answer whom it waited for, it waits no longer either. */
  #goOn(waiting: Waiting, { answered }: Holding): void {
    const now = performance.now();
    const { charges, holdings, resolve } = waiting;
    if (!answered) resolve(undefined);
    else if (canSpendAll(holdings, now)) resolve(this.#spendAll(charges, holdings, now));
    else this.#wait(waiting);
  }

  #ask(): void {
    const asked = this.#waiting;
    this.#waiting = [];
    const askedAt = performance.now();
    const keys: string[] = [];
    const fields: string[] = [];
    const leading: { readonly holding: Holding; readonly at: number }[] = [];
    for (const { charges, holdings } of asked) {
      for (const [index, charge] of charges.entries()) {
        const holding = holdings[index] as Holding;
        const asking = this.#leases.begin(holding, charge, askedAt);
        if (asking !== undefined) leading.push({ holding, at: keys.length });
        keys.push(holding.key);
        fields.push(argumentOf(charge, index === 0 ? 'begins' : 'goes on', asking ?? oneToken));
      }
    }
    const ahead = this.#ahead.filter(({ holding, charge }) => {
      const asking = this.#leases.begin(holding, charge, askedAt);
      if (asking === undefined) return false;
      leading.push({ holding, at: keys.length });
      keys.push(holding.key);
      fields.push(argumentOf(charge, 'leases', asking));
      return true;
    });
    this.#ahead = [];
    if (keys.length === 0) return;
    const question: Question = { askedAt, asked, leading, ahead, settled: false };
    this.#questions.push(question);
    this.#watch(patienceMs);
    const settle = (answer: readonly number[] | undefined) => this.#settle(question, answer);
    this.#options.run(keys, fields).then(settle, () => settle(undefined));
  }

  #settle(question: Question, answer: readonly number[] | undefined): void {
    if (question.settled) return;
    question.settled = true;
    while (this.#questions[0]?.settled) this.#questions.shift();
    this.#options.note(answer !== undefined);
    for (const { holding, at } of question.leading) endAsking(holding, leaseFrom(answer, at));
    let at = 0;
    for (const { charges, holdings, resolve } of question.asked) {
      resolve(answer && statesFrom(answer, at, charges, holdings));
      at += charges.length;
    }
    for (const { charge, holding } of question.ahead) {
      if (answer) statesFrom(answer, at, [charge], [holding]);
      at += 1;
    }
    for (const { holding } of question.leading) goOnFrom(holding);
  }

  /** One timer for all questions: one for each would cost as much as the rest of a question. */
  #watch(forMs: number): void {
    if (this.#watching) return;
    this.#watching = true;
    setTimeout(() => this.#look(), forMs);
  }

  #look(): void {
    const now = performance.now();
    this.#watching = false;
    const late = this.#questions.filter(({ askedAt }) => now - askedAt >= patienceMs);
    // Where we ourselves were late the answer may lie there unread: it is read before the second check.
    if (late.length > 0)
      setImmediate(() => {
        for (const question of late) this.#settle(question, undefined);
      });
    const next = this.#questions[late.length];
    if (next !== undefined) this.#watch(Math.max(1, Math.ceil(next.askedAt + patienceMs - now)));
    if (this.#ahead.length > 0) this.#ask();
  }
}

function canSpendAll(holdings: readonly Holding[], now: number): boolean {
  for (const holding of holdings) if (!canSpend(holding, now)) return false;
  return true;
}

/** Those who waited for its lease. Each may wait again. */
function goOnFrom(holding: Holding): void {
  const { parked } = holding;
  if (parked === undefined) return;
  holding.parked = undefined;
  for (const goOn of parked) goOn();
}

/** Numbers of the answer for each charge. */
const width = 5;

function leaseFrom(answer: readonly number[] | undefined, index: number) {
  const at = index * width;
  return answer && { leased: answer[at + 3] ?? 0, span: answer[at + 4] ?? 0 };
}

/** @returns a state for each charge that was made */
function statesFrom(
  answer: readonly number[],
  from: number,
  charges: readonly BucketCharge[],
  holdings: readonly Holding[],
): States {
  const now = performance.now();
  const states: BucketState[] = [];
  for (const [index, charge] of charges.entries()) {
    const at = (from + index) * width;
    const allowed = answer[at] ?? -1;
    if (allowed < 0) break;
    const said = { allowed: allowed === 1, parts: answer[at + 1] ?? 0, creditedMsAgo: answer[at + 2] ?? 0 };
    states.push(takeUp(holdings[index] as Holding, charge, said, now));
  }
  return states;
}
