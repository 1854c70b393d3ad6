import type { PatternNode } from './ast.ts';

/** Loops of exactly so many rounds are written out. */
const fewRounds = 8;

/** A node as an automaton of its places, each a byte that is read. */
interface Piece {
  readonly first: readonly number[];
  readonly last: readonly number[];
  readonly nullable: boolean;
}

interface Places {
  readonly sets: Uint8Array[];
  /** by place: what may come next, as often as there are ways to it */
  readonly next: number[][];
}

/**
 * Whether some text can be cut into rounds of a loop in two ways; then a backtracking matcher, where the end does
 * not fit, tries twice as many with each such text. Exact but for what looks around, which is taken to let
 * everything pass, and for counts within a round, which are taken for endless.
 * @param item what the loop repeats
 * @see Weber and Seidl, On the degree of ambiguity of finite automata (1991)
 */
export function hasTwoReadings(item: PatternNode): boolean {
  const places: Places = { sets: [], next: [] };
  const { first, last } = pieceOf(item, places);
  connect(places, last, first);
  const pairs: (readonly [number, number])[] = [];
  const seen = new Set<number>();
  const enter = (one: readonly number[], other: readonly number[]): boolean => {
    for (const [index, a] of one.entries())
      for (const [at, b] of other.entries()) {
        if (!overlap(places.sets[a], places.sets[b]) || (one === other && at < index)) continue;
        if (a === b) {
          // The same place: by a second way, or after the ways had parted.
          if (one !== other || index !== at) return true;
        } else if (!seen.has(a * places.sets.length + b)) {
          seen.add(a * places.sets.length + b);
          pairs.push([a, b]);
        }
      }
    return false;
  };
  if (enter(first, first) || places.next.some((next) => enter(next, next))) return true;
  const ends = new Set(last);
  for (const [a, b] of pairs) {
    if (ends.has(a) && ends.has(b)) return true;
    if (enter(places.next[a] ?? [], places.next[b] ?? [])) return true;
  }
  return false;
}

/** Every loop of a pattern, also within what looks around. */
export function loopsOf(node: PatternNode): Extract<PatternNode, { kind: 'repeat' }>[] {
  switch (node.kind) {
    case 'sequence':
    case 'either':
      return node.items.flatMap(loopsOf);
    case 'repeat':
      return [node, ...loopsOf(node.item)];
    case 'capture':
      return loopsOf(node.item);
    case 'irregular':
      return node.look ? loopsOf(node.look.item) : [];
    default:
      return [];
  }
}

function overlap(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  return one?.some((flag, byte) => flag === 1 && other?.[byte] === 1) ?? false;
}

function connect({ next }: Places, from: readonly number[], to: readonly number[]): void {
  for (const place of from) next[place]?.push(...to);
}

const nothing: Piece = { first: [], last: [], nullable: true };

function pieceOf(node: PatternNode, places: Places): Piece {
  switch (node.kind) {
    case 'set': {
      const place = places.sets.push(node.set) - 1;
      places.next.push([]);
      return { first: [place], last: [place], nullable: false };
    }
    case 'capture':
      return pieceOf(node.item, places);
    case 'sequence':
      return inSequence(node.items, places);
    case 'either': {
      const pieces = node.items.map((item) => pieceOf(item, places));
      return {
        first: pieces.flatMap(({ first }) => first),
        last: pieces.flatMap(({ last }) => last),
        nullable: pieces.some(({ nullable }) => nullable),
      };
    }
    case 'repeat': {
      if (node.max === 0) return nothing;
      if (node.min === node.max && node.max <= fewRounds)
        return inSequence(new Array<PatternNode>(node.max).fill(node.item), places);
      const piece = pieceOf(node.item, places);
      if (node.max > 1) connect(places, piece.last, piece.first);
      return { ...piece, nullable: piece.nullable || node.min === 0 };
    }
    default:
      return nothing;
  }
}

function inSequence(items: readonly PatternNode[], places: Places): Piece {
  let whole = nothing;
  for (const item of items) {
    const piece = pieceOf(item, places);
    connect(places, whole.last, piece.first);
    whole = {
      first: whole.nullable ? [...whole.first, ...piece.first] : whole.first,
      last: piece.nullable ? [...whole.last, ...piece.last] : piece.last,
      nullable: whole.nullable && piece.nullable,
    };
  }
  return whole;
}
