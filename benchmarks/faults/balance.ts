import { setTimeout as delay } from 'node:timers/promises';
import type { Edge, Installation } from './installation.ts';
import type { Killed } from './scenarios.ts';
import type { Stored } from './store.ts';

/** What clients saw of one gateway against what the database has of it; all zero where nothing is amiss. */
export interface Balance {
  /** blocks whose answer a client has and the store has not */
  readonly missing: number;
  /** blocks that the store has more than once */
  readonly twice: number;
  /** requests and blocks in the totals, more or fewer than clients counted */
  readonly totalsOff: number;
  /** blocks that a gateway held in memory when it was killed */
  readonly diedWithIt: number;
  /** how long before its end the oldest of those was answered */
  readonly oldestMs: number;
}

/** Differences that an earlier kill left behind, which later balances leave out. */
export interface Carried {
  requests: number;
  blocked: number;
  readonly lost: Set<string>;
}

const even: Balance = { missing: 0, twice: 0, totalsOff: 0, diedWithIt: 0, oldestMs: 0 };
const isEven = ({ missing, twice, totalsOff }: Balance) => missing === 0 && twice === 0 && totalsOff === 0;

/** @param killed where this gateway was */
export function balanceOf(edge: Edge, stored: Stored, carried: Carried, killed: Killed | undefined): Balance {
  const { ledger } = edge;
  const gone = [...ledger.blocks].filter(([id]) => !stored.blocks.has(id) && !carried.lost.has(id));
  const inMemory = killed ? gone.filter(([, at]) => at >= killed.lastFlush && at <= killed.at) : [];
  const twice = [...stored.blocks.values()].filter((count) => count !== 1).length;
  const requests = stored.requests - ledger.answered - carried.requests;
  const blocked = stored.blocked - ledger.blocks.size - carried.blocked;
  const held = killed ? ledger.recent.filter((at) => at >= killed.lastFlush && at <= killed.at).length : 0;
  const unanswered = killed ? ledger.unanswered : 0;
  const off = Math.max(
    0,
    requests - unanswered,
    -requests - held,
    blocked - unanswered,
    -blocked - inMemory.length,
  );
  return {
    missing: gone.length - inMemory.length,
    twice,
    totalsOff: off,
    diedWithIt: inMemory.length,
    oldestMs: killed ? Math.round(Math.max(0, ...inMemory.map(([, at]) => killed.at - at))) : 0,
  };
}

export interface Settled {
  readonly balances: readonly Balance[];
  readonly seconds: number;
}

const pollMs = 200;
/** What a killed gateway left counts as known once nothing of it came for so long. */
const quietMs = 4000;

/** Waits until the store has all that clients saw, or until nothing comes any more. Traffic must have stopped. */
export async function settle(
  { edges, store }: Installation,
  carried: ReadonlyMap<Edge, Carried>,
  killed: Killed | undefined,
  patienceMs: number,
): Promise<Settled> {
  const began = performance.now();
  let last = '';
  let movedAt = began;
  for (;;) {
    const stored = await Promise.all(edges.map(({ siteId }) => store.of(siteId)));
    const balances = edges.map((edge, at) => {
      const found = stored[at];
      const before = carried.get(edge);
      return found && before
        ? balanceOf(edge, found, before, killed?.edge === edge ? killed : undefined)
        : even;
    });
    const now = performance.now();
    const seen = JSON.stringify(stored.map(({ requests, blocks }) => [requests, blocks.size]));
    if (seen !== last) movedAt = now;
    last = seen;
    const quiet = !killed || now - movedAt > quietMs;
    if ((balances.every(isEven) && quiet) || now - began > patienceMs) {
      for (const [at, edge] of edges.entries()) carryOver(edge, stored[at], carried.get(edge));
      return { balances, seconds: ((killed ? movedAt : now) - began) / 1000 };
    }
    await delay(pollMs);
  }
}

function carryOver({ ledger }: Edge, stored: Stored | undefined, carried: Carried | undefined): void {
  if (!stored || !carried) return;
  carried.requests = stored.requests - ledger.answered;
  carried.blocked = stored.blocked - ledger.blocks.size;
  for (const id of ledger.blocks.keys()) if (!stored.blocks.has(id)) carried.lost.add(id);
}
