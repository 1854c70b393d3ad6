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

/** What a request may wait for the server. */
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
 * ask goes there as one script, and comes back in one answer.
 */
export class SharedBuckets {
  readonly #options: SharedBucketOptions;
  readonly #leases: TokenLeases;
  #waiting: Waiting[] = [];

  constructor(options: SharedBucketOptions) {
    this.#options = options;
    this.#leases = new TokenLeases(options.nameOf);
  }

  /** @see SharedLimits.take */
  take(charges: readonly BucketCharge[]): States | Promise<States | undefined> {
    const now = performance.now();
    const holdings = charges.map((charge) => this.#leases.of(charge, now));
    if (holdings.every((holding) => canSpend(holding, now))) return spendAll(charges, holdings, now);
    return new Promise((resolve) => this.#wait({ charges, holdings, resolve, waited: false }));
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
    else if (this.#waiting.length === maxWaiting) this.#ask();
  }

  /** Where the server did not answer whom it waited for, it waits no longer either. */
  #goOn(waiting: Waiting, { answered }: Holding): void {
    const now = performance.now();
    const { charges, holdings, resolve } = waiting;
    if (!answered) resolve(undefined);
    else if (holdings.every((holding) => canSpend(holding, now))) resolve(spendAll(charges, holdings, now));
    else this.#wait(waiting);
  }

  #ask(): void {
    const asked = this.#waiting;
    this.#waiting = [];
    if (asked.length === 0) return;
    const now = performance.now();
    const keys: string[] = [];
    const fields: string[] = [];
    const leading: { readonly holding: Holding; readonly at: number }[] = [];
    for (const { charges, holdings } of asked) {
      for (const [index, charge] of charges.entries()) {
        const holding = holdings[index] as Holding;
        const asking = this.#leases.begin(holding, charge, now);
        if (asking !== undefined) leading.push({ holding, at: keys.length });
        keys.push(holding.key);
        fields.push(argumentOf(charge, index === 0, asking ?? oneToken));
      }
    }
    let settled = false;
    const settle = (answer: readonly number[] | undefined) => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      this.#options.note(answer !== undefined);
      for (const { holding, at } of leading) endAsking(holding, leaseFrom(answer, at));
      let at = 0;
      for (const { charges, holdings, resolve } of asked) {
        resolve(answer && statesFrom(answer, at, charges, holdings));
        at += charges.length;
      }
      for (const { holding } of leading) goOnFrom(holding);
    };
    // Where we ourselves were late the answer may lie there unread: it is read before the second check.
    const timer = setTimeout(() => setImmediate(() => settle(undefined)), patienceMs);
    this.#options.run(keys, fields).then(settle, () => settle(undefined));
  }
}

/** Those who waited for its lease. Each may wait again. */
function goOnFrom(holding: Holding): void {
  const { parked } = holding;
  if (parked === undefined) return;
  holding.parked = undefined;
  for (const goOn of parked) goOn();
}

function spendAll(charges: readonly BucketCharge[], holdings: readonly Holding[], now: number): States {
  return charges.map((charge, index) => spend(holdings[index] as Holding, charge, now));
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
