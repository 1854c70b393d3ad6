import { lowercase } from '../decode/index.ts';

/**
 * Finds which of many literals occur in a text, in one pass: an Aho–Corasick automaton laid flat in typed
 * arrays. A class is a set of literals of which one is enough; hits are reported by class.
 * @see Aho and Corasick, Efficient string matching, CACM 18(6), 1975
 */
export interface Automaton {
  /**
   * Marks in `hits` every class of which a literal occurs in `text` within [start, end), without regard to
   * ASCII case.
   */
  readonly scan: (text: string, start: number, end: number, hits: Hits) => void;
  readonly classCount: number;
  /** bytes that its tables take */
  readonly bytes: number;
}

/** Which classes were hit since {@link resetHits}. Reused between scans: `list` up to `count` is valid. */
export interface Hits {
  readonly stamps: Int32Array;
  readonly list: Int32Array;
  generation: number;
  count: number;
}

/** An empty set of hits for an automaton of so many classes. */
export function createHits(classCount: number): Hits {
  return { stamps: new Int32Array(classCount), list: new Int32Array(classCount), generation: 1, count: 0 };
}

/** Forgets all hits, in constant time. */
export function resetHits(hits: Hits): void {
  hits.generation += 1;
  hits.count = 0;
}

/** Whether a class was hit since the last reset. */
export function isHit(hits: Hits, id: number): boolean {
  return hits.stamps[id] === hits.generation;
}

/** Longer literals are cut: hardly more texts pass the gate, and the tables stay within the cache. */
const significant = 5;

/**
 * Builds the automaton.
 * @param classes the literals of each class, any case, none empty; a literal may stand in several
 */
export function buildAutomaton(classes: readonly (readonly string[])[]): Automaton {
  const trie = buildTrie(classes.map((literals) => literals.map((literal) => literal.slice(0, significant))));
  linkFailures(trie);
  const { table, firstOutput, offsets, outputs } = layOut(trie);
  const { symbols, columns } = trie;

  function scan(text: string, start: number, end: number, hits: Hits): void {
    const { stamps, list, generation } = hits;
    let { count } = hits;
    let state = 0;
    for (let at = start; at < end; at += 1) {
      state = table[Math.imul(state, columns) + (symbols[text.charCodeAt(at) & 255] as number)] as number;
      if (state < firstOutput) continue;
      const row = state - firstOutput;
      const last = offsets[row + 1] as number;
      for (let index = offsets[row] as number; index < last; index += 1) {
        const id = outputs[index] as number;
        if (stamps[id] === generation) continue;
        stamps[id] = generation;
        list[count] = id;
        count += 1;
      }
    }
    hits.count = count;
  }
  const bytes = table.byteLength + offsets.byteLength + outputs.byteLength + 256;
  return { scan, classCount: classes.length, bytes };
}

interface TrieNode {
  readonly children: Map<number, TrieNode>;
  readonly classes: Set<number>;
  fail: TrieNode | undefined;
}

interface Trie {
  readonly root: TrieNode;
  readonly nodes: TrieNode[];
  /** byte → column; 0 for a byte that no literal holds */
  readonly symbols: Uint8Array;
  readonly columns: number;
}

function newNode(): TrieNode {
  return { children: new Map(), classes: new Set(), fail: undefined };
}

function buildTrie(classes: readonly (readonly string[])[]): Trie {
  const symbols = new Uint8Array(256);
  const root = newNode();
  const nodes = [root];
  let columns = 1;
  for (const [id, literals] of classes.entries()) {
    for (const literal of literals) {
      let node = root;
      for (const char of lowercase(literal)) {
        const code = char.charCodeAt(0) & 255;
        if (symbols[code] === 0) {
          symbols[code] = columns;
          if (code >= 97 && code <= 122) symbols[code - 32] = columns;
          columns += 1;
        }
        const symbol = symbols[code] ?? 0;
        let child = node.children.get(symbol);
        if (!child) {
          child = newNode();
          node.children.set(symbol, child);
          nodes.push(child);
        }
        node = child;
      }
      node.classes.add(id);
    }
  }
  return { root, nodes, symbols, columns };
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
      for (const id of child.fail.classes) child.classes.add(id);
      nodes.push(child);
    }
  }
}

function layOut({ root, nodes, columns }: Trie) {
  const silent = nodes.filter((node) => node.classes.size === 0);
  const speaking = nodes.filter((node) => node.classes.size > 0);
  const place = new Map([...silent, ...speaking].map((node, index) => [node, index]));
  const table =
    nodes.length < 65_536 ? new Uint16Array(nodes.length * columns) : new Int32Array(nodes.length * columns);
  for (const node of nodes) {
    const row = (place.get(node) ?? 0) * columns;
    const fallback = (node.fail ? (place.get(node.fail) ?? 0) : 0) * columns;
    for (let symbol = 0; symbol < columns; symbol += 1) {
      const child = node.children.get(symbol);
      if (child) table[row + symbol] = place.get(child) ?? 0;
      else table[row + symbol] = node === root ? 0 : (table[fallback + symbol] ?? 0);
    }
  }
  const offsets = new Int32Array(speaking.length + 1);
  const outputs: number[] = [];
  for (const [index, node] of speaking.entries()) {
    outputs.push(...node.classes);
    offsets[index + 1] = outputs.length;
  }
  return { table, firstOutput: silent.length, offsets, outputs: Int32Array.from(outputs) };
}
