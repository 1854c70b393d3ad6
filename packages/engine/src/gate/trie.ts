import { edgeFlag } from '../pattern/index.ts';
import type { Steps } from './steps.ts';

/** What the automaton looks for: latin1 in lower case, not empty; U+0100 at either end stands for the text's edge. */
export interface Head {
  readonly text: string;
  /** whether it counts only where no letter stands before it */
  readonly anchored: boolean;
}

interface TrieNode {
  readonly index: number;
  readonly children: Map<number, TrieNode>;
  readonly literals: Set<number>;
  fail: TrieNode | undefined;
}

interface Alphabet {
  /** byte, or {@link edgeFlag} → column; 0 for what no literal holds */
  readonly symbols: Uint8Array;
  /** columns from 1 up to here are letters */
  readonly lastLetter: number;
  readonly columns: number;
}

/** A piece of a row, for so many columns: 64 bytes, a cache line. */
export const pieceShift = 5;

/**
 * An automaton in typed arrays. The table holds the first pieces of all rows, then all second ones, and so on: letters
 * are in the first, and what a scan touches of a thousand states lies close together instead of in every fourth line.
 */
export interface Layout {
  /** `(state << pieceShift) + places[byte]` → next state */
  readonly table: Uint16Array | Int32Array;
  /** byte, or {@link edgeFlag} → where its column stands in the table */
  readonly places: Int32Array;
  /** the state at the edge of a text */
  readonly start: number;
  /** states from here on report something */
  readonly firstOutput: number;
  /** by such state, where its literals begin in `outputs` */
  readonly offsets: Int32Array;
  readonly outputs: Int32Array;
}

/**
 * Lays out the automaton that finds literals, known by their index.
 *
 * Most words that rules ask for must not stand amid another word, and nearly all places where they stand are such:
 * every byte but a letter is therefore followed by a mark that no text holds, and those words begin with it. The
 * mark costs nothing in a scan, for each row of the table takes the byte and its mark in one step.
 */
export function* layOut(heads: readonly Head[]): Steps<Layout> {
  const alphabet = numberSymbols(heads);
  yield;
  const nodes = yield* buildTrie(heads, alphabet);
  const { symbols, columns, lastLetter } = alphabet;
  const step = yield* stepsOf(nodes, columns);
  const isLetter = (symbol: number) => symbol > 0 && symbol <= lastLetter;
  const next = (node: number, symbol: number) =>
    isLetter(symbol) ? step(node, symbol) : step(step(node, symbol), columns);
  const start = next(0, symbols[edgeFlag] ?? 0);
  const reached = yield* reachedFrom(start, columns, next);
  const known = nodes.filter(({ index }) => reached.has(index));
  yield;
  // Rows in order of depth: the shallow ones, where texts spend their time, lie together.
  const silent = known.filter((node) => node.literals.size === 0);
  const speaking = known.filter((node) => node.literals.size > 0);
  const place = new Map([...silent, ...speaking].map(({ index }, row) => [index, row]));
  const width = 1 << pieceShift;
  const placeOf = (symbol: number) =>
    (((symbol >> pieceShift) * known.length) << pieceShift) + (symbol & (width - 1));
  const size = Math.ceil(columns / width) * known.length * width;
  const table = known.length < 65_536 ? new Uint16Array(size) : new Int32Array(size);
  for (const { index } of known) {
    const row = (place.get(index) ?? 0) << pieceShift;
    for (let symbol = 0; symbol < columns; symbol += 1)
      table[row + placeOf(symbol)] = place.get(next(index, symbol)) ?? 0;
    if (index % nodesPerStep === 0) yield;
  }
  const offsets = new Int32Array(speaking.length + 1);
  const outputs: number[] = [];
  for (const [index, node] of speaking.entries()) {
    outputs.push(...node.literals);
    offsets[index + 1] = outputs.length;
  }
  return {
    table,
    places: Int32Array.from(symbols, placeOf),
    start: place.get(start) ?? 0,
    firstOutput: silent.length,
    offsets,
    outputs: Int32Array.from(outputs),
  };
}

/** Some tens of microseconds each. */
const nodesPerStep = 8;

const ranks = [/[a-z]/, /[ /._-]/, /\d/, /[\s\S]/];

/** Letters, what stands between words, digits, then all others: the first few share a cache line of every row. */
function numberSymbols(heads: readonly Head[]): Alphabet {
  const symbols = new Uint8Array(edgeFlag + 1);
  const letters = Array.from({ length: 26 }, (_unused, index) => 97 + index);
  const used = new Set(letters);
  for (const { text } of heads) for (let at = 0; at < text.length; at += 1) used.add(text.charCodeAt(at));
  const rank = (code: number) => ranks.findIndex((members) => members.test(String.fromCharCode(code)));
  const codes = [...used];
  codes.sort((left, right) => rank(left) - rank(right) || left - right);
  for (const [index, code] of codes.entries()) {
    symbols[code] = index + 1;
    if (rank(code) === 0) symbols[code - 32] = index + 1;
  }
  return { symbols, lastLetter: letters.length, columns: codes.length + 1 };
}

/** All nodes in order of depth. The mark has the number behind the last column. */
function* buildTrie(
  heads: readonly Head[],
  { symbols, columns, lastLetter }: Alphabet,
): Steps<readonly TrieNode[]> {
  const root = newNode(0);
  let count = 1;
  const childOf = (node: TrieNode, symbol: number): TrieNode => {
    const known = node.children.get(symbol);
    if (known) return known;
    const child = newNode(count);
    count += 1;
    node.children.set(symbol, child);
    return child;
  };
  for (const [id, { text, anchored }] of heads.entries()) {
    let node = anchored ? childOf(root, columns) : root;
    for (let at = 0; at < text.length; at += 1) {
      const symbol = symbols[text.charCodeAt(at)] ?? 0;
      node = childOf(node, symbol);
      if (symbol > lastLetter) node = childOf(node, columns);
    }
    node.literals.add(id);
    if (id % nodesPerStep === 0) yield;
  }
  return yield* linkFailures(root);
}

function newNode(index: number): TrieNode {
  return { index, children: new Map(), literals: new Set(), fail: undefined };
}

function* linkFailures(root: TrieNode): Steps<readonly TrieNode[]> {
  // In order of depth, for a node's failure link is that of a shorter text.
  const nodes = [root];
  for (const node of nodes) {
    for (const [symbol, child] of node.children) {
      let fail = node.fail;
      while (fail && !fail.children.has(symbol)) fail = fail.fail;
      child.fail = fail?.children.get(symbol) ?? root;
      for (const id of child.fail.literals) child.literals.add(id);
      nodes.push(child);
    }
    if (node.index % nodesPerStep === 0) yield;
  }
  return nodes;
}

/** Node and symbol, the mark among them → node. */
function* stepsOf(
  nodes: readonly TrieNode[],
  columns: number,
): Steps<(node: number, symbol: number) => number> {
  const width = columns + 1;
  const steps = new Int32Array(nodes.length * width);
  for (const { index, children, fail } of nodes) {
    for (let symbol = 0; symbol < width; symbol += 1)
      steps[index * width + symbol] =
        children.get(symbol)?.index ?? (fail ? (steps[fail.index * width + symbol] ?? 0) : 0);
    if (index % nodesPerStep === 0) yield;
  }
  return (node, symbol) => steps[node * width + symbol] ?? 0;
}

function* reachedFrom(
  start: number,
  columns: number,
  next: (node: number, symbol: number) => number,
): Steps<ReadonlySet<number>> {
  const reached = new Set([start]);
  for (const node of reached) {
    for (let symbol = 0; symbol < columns; symbol += 1) reached.add(next(node, symbol));
    if (node % nodesPerStep === 0) yield;
  }
  return reached;
}
