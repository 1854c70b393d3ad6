/**
 * A regular expression over bytes, as far as its language goes. What only decides which of several matches is found
 * (captures, greed, what is looked at) is there when the reader was asked for it.
 */
export type PatternNode =
  | { readonly kind: 'set'; readonly set: ByteSet }
  | { readonly kind: 'sequence'; readonly items: readonly PatternNode[] }
  | { readonly kind: 'either'; readonly items: readonly PatternNode[] }
  | {
      readonly kind: 'repeat';
      readonly item: PatternNode;
      readonly min: number;
      readonly max: number;
      /** as few as possible first */
      readonly lazy?: true;
    }
  | { readonly kind: 'capture'; readonly index: number; readonly item: PatternNode }
  | { readonly kind: 'assert'; readonly assertion: Assertion }
  /** looking ahead or behind, or a back reference: no regular language */
  | {
      readonly kind: 'irregular';
      readonly what: 'lookaround' | 'back reference';
      readonly look?: Look;
      /** number of the group that is referred to */
      readonly group?: number;
    };

/** What must, or must not, stand after or before a place. */
export interface Look {
  readonly behind: boolean;
  readonly negative: boolean;
  readonly item: PatternNode;
}

export type Assertion = 'start' | 'end' | 'line start' | 'line end' | 'word edge' | 'no word edge';

/** 256 flags, one a byte. */
export type ByteSet = Uint8Array;

/** The set of bytes from each `[first, last]` range, both included. */
export function byteSet(...ranges: readonly (readonly [first: number, last: number])[]): ByteSet {
  const set = new Uint8Array(256);
  for (const [first, last] of ranges) set.fill(1, first, last + 1);
  return set;
}

/** Every byte that is not in the set. */
export function complement(set: ByteSet): ByteSet {
  return set.map((flag) => 1 - flag);
}

/** The set with the other case of each letter it holds, as V8's `i` flag folds latin1. */
export function foldCase(set: ByteSet): ByteSet {
  const folded = set.slice();
  for (let upper = 65; upper <= 222; upper += 1) {
    if ((upper > 90 && upper < 192) || upper === 215) continue;
    if (set[upper] === 1) folded[upper + 32] = 1;
    if (set[upper + 32] === 1) folded[upper] = 1;
  }
  return folded;
}

export const digits = byteSet([48, 57]);
export const wordBytes = byteSet([48, 57], [65, 90], [95, 95], [97, 122]);
export const spaces = byteSet([9, 13], [32, 32], [160, 160]);
export const lineEnds = byteSet([10, 10], [13, 13]);
