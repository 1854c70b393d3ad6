import { edgeFlag } from '../pattern/index.ts';

interface TrieNode {
  readonly children: Map<number, TrieNode>;
  readonly literals: Set<number>;
  fail: TrieNode | undefined;
}

interface Trie {
  readonly root: TrieNode;
  readonly nodes: TrieNode[];
  /** byte, or {@link edgeFlag} → column; 0 for what no literal holds */
  readonly symbols: Uint8Array;
  readonly columns: number;
}

/** An automaton in typed arrays. */
export interface Layout {
  /** state and column → next state; a row is `1 << shift` columns wide */
  readonly table: Uint16Array | Int32Array;
  readonly shift: number;
  readonly symbols: Uint8Array;
  /** states from here on report something */
  readonly firstOutput: number;
  /** by such state, where its literals begin in `outputs` */
  readonly offsets: Int32Array;
  readonly outputs: Int32Array;
}

/**
 * Lays out the automaton that finds literals, known by their index.
 * @param literals latin1 in lower case, none empty; U+0100 at the end stands for the text's edge
 */
export function layOut(literals: readonly string[]): Layout {
  const trie = buildTrie(literals);
  linkFailures(trie);
  const { root, nodes, columns, symbols } = trie;
  // Rows in order of depth: the shallow ones, where texts spend their time, lie together.
  const silent = nodes.filter((node) => node.literals.size === 0);
  const speaking = nodes.filter((node) => node.literals.size > 0);
  const place = new Map([...silent, ...speaking].map((node, index) => [node, index]));
  const shift = 32 - Math.clz32(columns - 1);
  const size = nodes.length << shift;
  const table = nodes.length < 65_536 ? new Uint16Array(size) : new Int32Array(size);
  for (const node of nodes) {
    const row = (place.get(node) ?? 0) << shift;
    const fallback = (node.fail ? (place.get(node.fail) ?? 0) : 0) << shift;
    for (let symbol = 0; symbol < columns; symbol += 1) {
      const child = node.children.get(symbol);
      if (child) table[row + symbol] = place.get(child) ?? 0;
      else table[row + symbol] = node === root ? 0 : (table[fallback + symbol] ?? 0);
    }
  }
  const offsets = new Int32Array(speaking.length + 1);
  const outputs: number[] = [];
  for (const [index, node] of speaking.entries()) {
    outputs.push(...node.literals);
    offsets[index + 1] = outputs.length;
  }
  return { table, shift, symbols, firstOutput: silent.length, offsets, outputs: Int32Array.from(outputs) };
}

function newNode(): TrieNode {
  return { children: new Map(), literals: new Set(), fail: undefined };
}

function buildTrie(literals: readonly string[]): Trie {
  const { symbols, columns } = numberSymbols(literals);
  const root = newNode();
  const nodes = [root];
  for (const [id, literal] of literals.entries()) {
    let node = root;
    for (const char of literal) {
      const symbol = symbols[char.charCodeAt(0)] ?? 0;
      let child = node.children.get(symbol);
      if (!child) {
        child = newNode();
        node.children.set(symbol, child);
        nodes.push(child);
      }
      node = child;
    }
    node.literals.add(id);
  }
  return { root, nodes, symbols, columns };
}

/** Letters, then digits, then all others: what most texts consist of shares a cache line in every row. */
function numberSymbols(literals: readonly string[]) {
  const symbols = new Uint8Array(edgeFlag + 1);
  const codes = [...new Set(literals.flatMap((literal) => [...literal].map((char) => char.charCodeAt(0))))];
  const rank = (code: number) => (code >= 97 && code <= 122 ? 0 : code >= 48 && code <= 57 ? 1 : 2);
  codes.sort((left, right) => rank(left) - rank(right) || left - right);
  for (const [index, code] of codes.entries()) {
    symbols[code] = index + 1;
    if (rank(code) === 0) symbols[code - 32] = index + 1;
  }
  return { symbols, columns: codes.length + 1 };
}

function linkFailures({ root, nodes }: Trie): void {
  // `nodes` must be in order of depth, for a node's failure link is that of a shorter text.
  nodes.length = 0;
  nodes.push(root);
  for (const node of nodes) {
    for (const [symbol, child] of node.children) {
      let fail = node.fail;
      while (fail && !fail.children.has(symbol)) fail = fail.fail;
      child.fail = fail?.children.get(symbol) ?? root;
      for (const id of child.fail.literals) child.literals.add(id);
      nodes.push(child);
    }
  }
}
