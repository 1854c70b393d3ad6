import { entriesAtOnce, inSteps, type Steps } from '../steps.ts';
import type { EntityChange } from './change.ts';
import { type ListChange, listBefore, listChange } from './long-lists.ts';
import { type InPieces, longFrom } from './pieces.ts';

/** A change as the history keeps it: how long lists changed stands beside the two sides, which are without them. */
export interface KeptChange extends EntityChange {
  /** by field of the content */
  readonly lists?: Readonly<Record<string, ListChange>>;
  /** of a deletion: its long lists, kept aside */
  readonly pieces?: Readonly<Record<string, InPieces>>;
}

type Content = Record<string, unknown>;

/** What a history line compares: the value where an object wraps one, for the wrapping changes each time. */
export function contentOf(side: unknown): Content {
  if (typeof side !== 'object' || side === null) return {};
  const { value } = side as { value?: unknown };
  return (typeof value === 'object' && value !== null ? value : side) as Content;
}

/** @returns a side of a change with another content */
export function withContent(side: unknown, content: Content): unknown {
  const isWrapped = contentOf(side) !== side;
  return isWrapped ? { ...(side as object), value: content } : content;
}

/** @returns a side of a change without some fields of its content */
export function without(side: unknown, fields: readonly string[]): unknown {
  if (side === null) return null;
  const left = Object.entries(contentOf(side)).filter(([field]) => !fields.includes(field));
  return withContent(side, Object.fromEntries(left));
}

const isList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string');

/** As {@link isList}. @returns the list */
function* listOf(value: unknown): Steps<string[] | undefined> {
  if (!Array.isArray(value)) return undefined;
  for (let from = 0; from < value.length; from += entriesAtOnce) {
    if (!isList(value.slice(from, from + entriesAtOnce))) return undefined;
    yield;
  }
  return value as string[];
}

/** @returns the change without its long lists, and how those changed instead */
export function condensed(change: KeptChange): Promise<KeptChange> {
  return inSteps(condensing(change));
}

function* condensing(change: KeptChange): Steps<KeptChange> {
  if (change.lists) return change;
  const [before, after] = [contentOf(change.before), contentOf(change.after)];
  const lists: Record<string, ListChange> = {};
  for (const field of Object.keys({ ...before, ...after })) {
    const stood = yield* listOf(change.before === null ? [] : before[field]);
    const stands = yield* listOf(change.after === null ? [] : after[field]);
    if (!stood || !stands || Math.max(stood.length, stands.length) < longFrom) continue;
    lists[field] = yield* listChange(stood, stands);
  }
  const fields = Object.keys(lists);
  if (fields.length === 0) return change;
  return { ...change, before: without(change.before, fields), after: without(change.after, fields), lists };
}

/**
 * How a thing stood before a change of it.
 * @param after how it stood after it
 * @returns undefined where `after` is not what the change led to
 */
export function stateBefore(change: KeptChange, after: unknown): Promise<unknown> {
  return inSteps(standingBefore(change, after));
}

function* standingBefore({ before, lists }: KeptChange, after: unknown): Steps<unknown> {
  if (before === null || lists === undefined) return before;
  const content = { ...contentOf(before) };
  for (const [field, change] of Object.entries(lists)) {
    const now = contentOf(after)[field];
    // What they hold was looked at when the change was kept.
    const stood = Array.isArray(now) ? yield* listBefore(now as string[], change) : undefined;
    if (stood === undefined) return undefined;
    content[field] = stood;
  }
  return withContent(before, content);
}
