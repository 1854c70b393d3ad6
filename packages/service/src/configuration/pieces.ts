import { hash } from 'node:crypto';
import { z } from 'zod';
import { entriesAtOnce, type Steps } from '../steps.ts';

/** A long list as its object keeps it: the pieces that it is made of, in order. They stand in a table of their own. */
export const InPieces = z.object({ pieces: z.array(z.tuple([z.string(), z.int()])).readonly() }).readonly();
/** each piece by its content, and how many entries it has */
export type InPieces = z.infer<typeof InPieces>;

/** Shorter lists stay with their object. */
export const longFrom = 256;

/** @returns whether a value is a list that is kept in pieces */
export const isLong = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length >= longFrom;

/** Entries of a piece. The row of one is about 16 kB, and a list of a million has a thousand. */
const [fewest, usual, most] = [256, 1024, 4096];

/**
 * Whether a piece ends with an entry. Its content decides, not its place: where entries come or go, the pieces behind
 * are the same again after the next end.
 */
function ends(entry: string): boolean {
  let mixed = 0;
  for (let at = 0; at < entry.length; at += 1)
    mixed = Math.imul(mixed ^ entry.charCodeAt(at), 0x5bd1_e995) ^ (mixed >>> 15);
  return ((mixed ^ (mixed >>> 13)) >>> 0) % usual === 0;
}

/** What a piece is known by. Whoever may save lists must not be able to make two of one name: 192 bits of SHA-256. */
const idOf = (text: string) => hash('sha256', text, 'base64url').slice(0, 32);

/** How a list is cut into pieces. */
export function* inPieces(list: readonly string[]): Steps<InPieces> {
  const pieces: [string, number][] = [];
  let from = 0;
  for (let at = 0; at < list.length; at += 1) {
    const length = at + 1 - from;
    const isEnd = at + 1 === list.length || length === most || (length >= fewest && ends(list[at] ?? ''));
    if (isEnd) {
      pieces.push([idOf(textOf(list, from, length)), length]);
      from = at + 1;
      yield;
    } else if (at % entriesAtOnce === 0) yield;
  }
  return { pieces };
}

/** The text of a piece. */
export const textOf = (list: readonly string[], from: number, length: number): string =>
  JSON.stringify(list.slice(from, from + length));

/** A list that is at hand, for what another one shares with it. */
export interface ListAtHand extends InPieces {
  readonly list: readonly string[];
}

/** Where a piece stands in a list that is at hand. */
export type Place = readonly [list: readonly string[], from: number];

/**
 * Where pieces stand in lists that are at hand, by their id. A list that has another length than its pieces, as where
 * a schema reads entries as fewer, tells nothing of where they stand.
 */
export function* placesIn(lists: readonly ListAtHand[]): Steps<ReadonlyMap<string, Place>> {
  const places = new Map<string, Place>();
  for (const { pieces, list } of lists) {
    if (pieces.reduce((sum, [, length]) => sum + length, 0) !== list.length) continue;
    let from = 0;
    for (const [id, length] of pieces) {
      places.set(id, [list, from]);
      from += length;
    }
    yield;
  }
  return places;
}

/** Whether two values are stored alike. Lists are compared entry by entry, a field that is undefined is left out. */
export function* sameValue(a: object, b: object): Steps<boolean> {
  const [one, other] = [a, b] as Record<string, unknown>[];
  for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const [mine, theirs] = [one?.[name], other?.[name]];
    if (isLong(mine) && isLong(theirs)) {
      if (!(yield* sameList(mine, theirs))) return false;
    } else if (JSON.stringify(mine) !== JSON.stringify(theirs)) return false;
  }
  return true;
}

function* sameList(a: readonly unknown[], b: readonly unknown[]): Steps<boolean> {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at += 1) {
    if (a[at] !== b[at]) return false;
    if (at % entriesAtOnce === 0) yield;
  }
  return true;
}
