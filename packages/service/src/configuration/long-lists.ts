import { shownEntries } from '@portcullis/contract/configuration';
import { entriesAtOnce, fill, type Steps } from '../steps.ts';

/** Entries that stand one after another, from a place on. */
export type Run = readonly [place: number, entries: readonly string[]];

/**
 * How a long list became another one, so that a list of addresses which is fed anew each hour is not kept whole each
 * time: enough to tell the list before from the one after, and to show a person what went and came.
 */
export interface ListChange {
  /** entries of the list before and of the one after */
  readonly lengths: readonly [number, number];
  /** what went, by its places in the list before */
  readonly removed: readonly Run[];
  /** where what came stands in the list after: places and how many from there on */
  readonly added: readonly (readonly [place: number, length: number])[];
  /** the first of what came */
  readonly came: readonly string[];
}

/** How far ahead the two lists are compared entry by entry for where they meet again. */
const nearby = 16;
/** How far they are looked through after that, nearest first. */
const windows = [128, 1024, 8192, 65_536];

type Place = readonly [before: number, after: number];

/** Two lists, and up to where in each they are compared: a copy of a million entries would take milliseconds. */
interface Compared {
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly ends: Place;
}

/** The nearest place where the lists meet again, by comparing alone: feeds that change in many places leave no garbage. */
function meetingNearby({ before, after, ends }: Compared, [i, j]: Place): Place | undefined {
  const [mostI, mostJ] = [Math.min(ends[0] - i, nearby), Math.min(ends[1] - j, nearby)];
  for (let sum = 0; sum < mostI + mostJ - 1; sum += 1) {
    for (let ahead = Math.max(0, sum - mostJ + 1); ahead <= Math.min(sum, mostI - 1); ahead += 1) {
      const place: Place = [i + ahead, j + sum - ahead];
      if (before[place[0]] === after[place[1]]) return place;
    }
  }
  return undefined;
}

/** Where the lists meet again from a place in each on; undefined where that is too far away. */
function* meeting(
  { before, after, ends }: Compared,
  [i, j]: Place,
): Steps<{ nearest: Place; work: number } | undefined> {
  const near = meetingNearby({ before, after, ends }, [i, j]);
  if (near) return { nearest: near, work: nearby };
  for (const window of windows) {
    const ahead = new Map<string, number>();
    for (let at = Math.min(ends[1], j + window) - 1; at >= j; at -= 1) {
      ahead.set(after[at] ?? '', at);
      if (at % entriesAtOnce === 0) yield;
    }
    let nearest: Place | undefined;
    for (let at = i; at < Math.min(ends[0], i + window); at += 1) {
      if (at % entriesAtOnce === 0) yield;
      const there = ahead.get(before[at] ?? '');
      if (there === undefined) continue;
      if (!nearest || at + there < nearest[0] + nearest[1]) nearest = [at, there];
    }
    if (nearest) return { nearest, work: window };
  }
  return undefined;
}

/** Entries at the end of both lists that are the same. */
function* sharedEnd(before: readonly string[], after: readonly string[]): Steps<number> {
  const most = Math.min(before.length, after.length);
  let length = 0;
  while (length < most && before[before.length - 1 - length] === after[after.length - 1 - length]) {
    length += 1;
    if (length % entriesAtOnce === 0) yield;
  }
  return length;
}

/**
 * Goes along both lists once, for a list of a million must not hold others up: what moved far counts as gone and come.
 * @returns how `before` became `after`
 */
export function* listChange(before: readonly string[], after: readonly string[]): Steps<ListChange> {
  const removed: Run[] = [];
  const added: (readonly [place: number, length: number])[] = [];
  const end = yield* sharedEnd(before, after);
  const [oldEnd, newEnd] = [before.length - end, after.length - end];
  const compared = { before, after, ends: [oldEnd, newEnd] } as const;
  let [i, j] = [0, 0];
  const differUpTo = (nextI: number, nextJ: number) => {
    if (nextI > i) removed.push([i, before.slice(i, nextI)]);
    if (nextJ > j) added.push([j, nextJ - j]);
    [i, j] = [nextI, nextJ];
  };
  for (let left = 4 * (oldEnd + newEnd) + 65_536; left > 0; ) {
    while (i < oldEnd && j < newEnd && before[i] === after[j]) {
      i += 1;
      j += 1;
      if (i % entriesAtOnce === 0) yield;
    }
    yield;
    const met = i < oldEnd && j < newEnd ? yield* meeting(compared, [i, j]) : undefined;
    if (!met) break;
    differUpTo(...met.nearest);
    left -= met.work;
  }
  differUpTo(oldEnd, newEnd);
  return {
    lengths: [before.length, after.length],
    removed,
    added,
    came: firstOf(after, added),
  };
}

/** As {@link first}, of runs that stand in a list. */
function firstOf(list: readonly string[], runs: ListChange['added']): string[] {
  const entries: string[] = [];
  for (const [place, length] of runs) {
    const left = shownEntries - entries.length;
    if (left === 0) break;
    entries.push(...list.slice(place, place + Math.min(length, left)));
  }
  return entries;
}

/** The first entries of some runs, as many as a person is shown. */
function first(all: readonly Run[]): string[] {
  const entries: string[] = [];
  for (const [, more] of all) {
    if (entries.length >= shownEntries) break;
    entries.push(...more.slice(0, shownEntries - entries.length));
  }
  return entries;
}

/** @returns the list before; undefined where `after` is not the list that the change led to */
export function* listBefore(
  after: readonly string[],
  { lengths, removed, added }: ListChange,
): Steps<readonly string[] | undefined> {
  if (after.length !== lengths[1]) return undefined;
  const before = new Array<string>(lengths[0]);
  let [at, next, run, gone] = [0, 0, 0, 0];
  while (at <= lengths[0]) {
    if (at % entriesAtOnce === 0 || next % entriesAtOnce === 0) yield;
    const [place, entries] = removed[gone] ?? [-1, []];
    const [start, length] = added[run] ?? [-1, 0];
    if (place === at) {
      yield* fill(before, at, entries);
      at += entries.length;
      gone += 1;
    } else if (start === next) {
      next += length;
      run += 1;
    } else if (next < after.length) {
      before[at] = after[next] ?? '';
      at += 1;
      next += 1;
    } else break;
  }
  const isAll = gone === removed.length && run === added.length && at === lengths[0];
  return isAll ? before : undefined;
}

/** What a person is shown of a change: how much went and came, and the first of it. */
export function shownChange({ lengths: [before, after], removed, added, came }: ListChange) {
  const went = removed.reduce((sum, [, entries]) => sum + entries.length, 0);
  const arrived = added.reduce((sum, [, length]) => sum + length, 0);
  return {
    counts: { before, after, removed: went, added: arrived },
    removed: first(removed),
    added: came,
  } as const;
}
