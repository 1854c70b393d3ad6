import { byteSet, lineEnds, type PatternNode } from './ast.ts';
import { type Beside, beside, union } from './beside.ts';

/** Which way from a place in a pattern. */
export type Direction = 'first' | 'last';

/** The bytes that a match of a node can begin (or end) with, and whether it can be empty. */
export interface Edge {
  readonly set: Beside;
  readonly nullable: boolean;
}

const none = beside(byteSet(), { edge: false });
const anything: Edge = { set: beside(byteSet([0, 255]), { edge: true }), nullable: true };
const emptyEdge: Edge = { set: none, nullable: true };
const textEdge: Edge = { set: beside(byteSet(), { edge: true }), nullable: false };
const lineEdge: Edge = { set: beside(lineEnds, { edge: true }), nullable: false };

/** What a node can begin or end with; wider than the truth where that can't be told. */
export function edgeOf(node: PatternNode, direction: Direction): Edge {
  switch (node.kind) {
    case 'set':
      return { set: beside(node.set, { edge: false }), nullable: false };
    case 'capture':
      return edgeOf(node.item, direction);
    case 'sequence':
      return edgeOfSequence(node.items, direction);
    case 'either':
      return node.items
        .map((item) => edgeOf(item, direction))
        .reduce((left, right) => ({
          set: union(left.set, right.set),
          nullable: left.nullable || right.nullable,
        }));
    case 'repeat': {
      if (node.max === 0) return emptyEdge;
      const inner = edgeOf(node.item, direction);
      return { set: inner.set, nullable: inner.nullable || node.min === 0 };
    }
    case 'assert':
      if (node.assertion === (direction === 'first' ? 'end' : 'start')) return textEdge;
      if (node.assertion === (direction === 'first' ? 'line end' : 'line start')) return lineEdge;
      return emptyEdge;
    case 'irregular':
      return node.what === 'lookaround' ? emptyEdge : anything;
  }
}

/** The same of items in a row. */
export function edgeOfSequence(items: readonly PatternNode[], direction: Direction): Edge {
  const ordered = direction === 'first' ? items : [...items].reverse();
  let set: Beside = none;
  for (const item of ordered) {
    const edge = edgeOf(item, direction);
    set = set === none ? edge.set : edge.set === none ? set : union(set, edge.set);
    if (!edge.nullable) return { set, nullable: false };
  }
  return { set, nullable: true };
}
