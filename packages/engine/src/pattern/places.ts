import type { ByteSet, PatternNode } from './ast.ts';

/** Counts of exactly so many are written out; others are taken for endless, which has all their ways and more. */
const mostWrittenOut = 8;

/** The places of a loop, each a byte that is read in it. */
export interface Places {
  /** by place: what is read there */
  readonly sets: readonly ByteSet[];
  /** by place: what may come next, the next round's places too, each as often as there are ways to it */
  readonly next: readonly (readonly number[])[];
  /** where a round may begin */
  readonly first: readonly number[];
  /** where it may end */
  readonly last: readonly number[];
  /** a round can be nothing */
  readonly nullable: boolean;
  /** a part can be nothing in two ways, or nothing over and over, which no place tells apart */
  readonly hollow: boolean;
  /** something in it looks around or refers back, which is taken to let everything pass */
  readonly looks: boolean;
}

/**
 * Lays out a loop as an automaton of its places.
 * @param item what the loop repeats
 * @param most places, and ways from one to another on average
 * @returns undefined where there would be more
 * @see Glushkov, The abstract theory of automata, Russian Mathematical Surveys 16(5), 1961
 */
export function placesOfLoop(item: PatternNode, most = Infinity): Places | undefined {
  const layout: Layout = { most, sets: [], next: [], ways: 0, hollow: false, looks: false, over: false };
  const round = pieceOf(item, layout);
  connect(layout, round.last, round.first);
  const { sets, next, hollow, looks, over } = layout;
  return over ? undefined : { ...round, sets, next, hollow, looks };
}

interface Layout {
  readonly most: number;
  readonly sets: ByteSet[];
  readonly next: number[][];
  ways: number;
  hollow: boolean;
  looks: boolean;
  over: boolean;
}

/** By what places a part may be entered and left. */
type Piece = Pick<Places, 'first' | 'last' | 'nullable'>;

const nothing: Piece = { first: [], last: [], nullable: true };

function pieceOf(node: PatternNode, layout: Layout): Piece {
  if (layout.over) return nothing;
  switch (node.kind) {
    case 'set': {
      const place = layout.sets.push(node.set) - 1;
      layout.next.push([]);
      layout.over = place >= layout.most;
      return { first: [place], last: [place], nullable: false };
    }
    case 'assert':
      return nothing;
    case 'irregular':
      layout.looks = true;
      return nothing;
    case 'capture':
      return pieceOf(node.item, layout);
    case 'sequence':
      return node.items.reduce((before, item) => joined(layout, before, pieceOf(item, layout)), nothing);
    case 'either': {
      const pieces = node.items.map((item) => pieceOf(item, layout));
      const nullable = pieces.filter((piece) => piece.nullable).length;
      if (nullable > 1) layout.hollow = true;
      return {
        first: pieces.flatMap(({ first }) => first),
        last: pieces.flatMap(({ last }) => last),
        nullable: nullable > 0,
      };
    }
    case 'repeat':
      return repeated(node, layout);
  }
}

function repeated({ item, min, max }: Extract<PatternNode, { kind: 'repeat' }>, layout: Layout): Piece {
  if (max === 0) return nothing;
  const before = layout.sets.length;
  const once = pieceOf(item, layout);
  // `(?:a|)?` can be nothing in two ways.
  if (once.nullable && (max > 1 || min === 0)) layout.hollow = true;
  if (layout.sets.length === before) return nothing;
  if (min === max && max <= mostWrittenOut) {
    let all = once;
    for (let round = 1; round < max; round += 1) all = joined(layout, all, pieceOf(item, layout));
    return all;
  }
  if (max > 1) connect(layout, once.last, once.first);
  return { ...once, nullable: once.nullable || min === 0 };
}

function joined(layout: Layout, one: Piece, other: Piece): Piece {
  connect(layout, one.last, other.first);
  return {
    first: one.nullable ? [...one.first, ...other.first] : one.first,
    last: other.nullable ? [...one.last, ...other.last] : other.last,
    nullable: one.nullable && other.nullable,
  };
}

function connect(layout: Layout, from: readonly number[], to: readonly number[]): void {
  layout.ways += from.length * to.length;
  if (layout.ways > layout.most ** 2) layout.over = true;
  if (layout.over) return;
  for (const place of from) layout.next[place]?.push(...to);
}
