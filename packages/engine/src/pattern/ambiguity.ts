import type { ByteSet, PatternNode } from './ast.ts';

/** Loops of more places than this are taken for ambiguous, since finding out takes the square of them. */
const maxPlaces = 400;

/** A piece of a loop: by what places it may be entered and left, each as often as there are ways. */
interface Piece {
  readonly first: readonly number[];
  readonly last: readonly number[];
  readonly nullable: boolean;
}

interface Places {
  readonly sets: ByteSet[];
  /** by place: the places that may come next, each as often as there are ways to it */
  readonly next: number[][];
}

/**
 * Whether a text can be cut into iterations of a loop in one way only, and each iteration be walked in one way
 * only; then a backtracking matcher has nothing to try again but where to leave the loop. May say no where it is
 * so, never yes where it is not.
 * @see Brüggemann-Klein and Wood, One-unambiguous regular languages (1998)
 */
export function isUnambiguousLoop(item: PatternNode): boolean {
  const places: Places = { sets: [], next: [] };
  const piece = pieceOf(item, places);
  if (!piece || piece.nullable) return false;
  connect(places, piece.last, piece.first);
  return areApart(piece.first, places) && places.next.every((next) => areApart(next, places));
}

function connect({ next }: Places, from: readonly number[], to: readonly number[]): void {
  for (const place of from) next[place]?.push(...to);
}

function areApart(chosen: readonly number[], { sets }: Places): boolean {
  const union = new Uint8Array(256);
  for (const place of chosen) {
    const set = sets[place];
    for (let byte = 0; set && byte < 256; byte += 1) {
      if (set[byte] !== 1) continue;
      if (union[byte] === 1) return false;
      union[byte] = 1;
    }
  }
  return true;
}

const nothing: Piece = { first: [], last: [], nullable: true };

/** @returns undefined where the node is too large, or looks around */
function pieceOf(node: PatternNode, places: Places): Piece | undefined {
  switch (node.kind) {
    case 'set': {
      if (places.sets.length >= maxPlaces) return undefined;
      const place = places.sets.push(node.set) - 1;
      places.next.push([]);
      return { first: [place], last: [place], nullable: false };
    }
    case 'assert':
      return nothing;
    case 'irregular':
      return undefined;
    case 'capture':
      return pieceOf(node.item, places);
    case 'sequence':
      return inSequence(node.items, places);
    case 'either': {
      const pieces = node.items.map((item) => pieceOf(item, places));
      const known = pieces.filter((piece) => piece !== undefined);
      // Two alternatives that can be nothing are two ways to the same.
      if (known.length < pieces.length || known.filter(({ nullable }) => nullable).length > 1)
        return undefined;
      return {
        first: known.flatMap(({ first }) => first),
        last: known.flatMap(({ last }) => last),
        nullable: known.some(({ nullable }) => nullable),
      };
    }
    case 'repeat':
      return repeated(node, places);
  }
}

function inSequence(items: readonly PatternNode[], places: Places): Piece | undefined {
  let whole = nothing;
  for (const item of items) {
    const piece = pieceOf(item, places);
    if (!piece) return undefined;
    connect(places, whole.last, piece.first);
    whole = {
      first: whole.nullable ? [...whole.first, ...piece.first] : whole.first,
      last: piece.nullable ? [...whole.last, ...piece.last] : piece.last,
      nullable: whole.nullable && piece.nullable,
    };
  }
  return whole;
}

/** A counted repetition is taken for an endless one, which has all its ways and more. */
function repeated(
  { item, min, max }: Extract<PatternNode, { kind: 'repeat' }>,
  places: Places,
): Piece | undefined {
  if (max === 0) return nothing;
  const piece = pieceOf(item, places);
  if (!piece || (piece.nullable && max > 1)) return undefined;
  // `(?:a|)?` can be nothing in two ways.
  if (piece.nullable && min === 0) return undefined;
  if (max > 1) connect(places, piece.last, piece.first);
  return { ...piece, nullable: piece.nullable || min === 0 };
}
