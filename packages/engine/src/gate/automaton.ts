import { edgeFlag } from '../pattern/index.ts';
import { createHits, type Hits } from './hits.ts';
import { compileLiterals, type GateLiteral, type Literals, stands } from './literals.ts';
import { type Layout, layOut } from './trie.ts';

/**
 * Finds which of many literals occur in a text, in one pass: an Aho–Corasick automaton laid flat in typed
 * arrays. A class is a set of literals of which one is enough; hits are reported by class.
 * @see Aho and Corasick, Efficient string matching, CACM 18(6), 1975
 */
export interface Automaton {
  /**
   * Marks in `hits` every class of which a literal occurs in `text` within [start, end), without regard to
   * ASCII case. What stands beyond those bounds is taken for the text's edge.
   */
  readonly scan: (text: string, start: number, end: number, hits: Hits) => void;
  /** an empty set of hits for this automaton */
  readonly createHits: () => Hits;
  readonly classCount: number;
  /** bytes that its tables take */
  readonly bytes: number;
}

/**
 * Builds the automaton.
 * @param classes the literals of each class, none empty; a literal may stand in several
 */
export function buildAutomaton(classes: readonly (readonly GateLiteral[])[]): Automaton {
  const literals = compileLiterals(classes);
  const layout = layOut(literals.heads);
  const { table, offsets, outputs } = layout;
  function scan(text: string, from: number, end: number, hits: Hits): void {
    const { shift, symbols, start, firstOutput } = layout;
    const states = layout.table;
    const { rows, generation } = hits;
    let state = start;
    for (let at = from; ; at += 1) {
      // This loop holds no call, so that whatever is compiled around it, its arrays stay in registers.
      for (; at < end; at += 1) {
        state = states[(state << shift) | (symbols[text.charCodeAt(at) & 255] as number)] as number;
        if (state >= firstOutput) break;
      }
      if (at >= end) break;
      if (rows[state - firstOutput] !== generation)
        reportState(layout, literals, state, text, at, from, end, hits);
    }
    state = states[(state << shift) | (symbols[edgeFlag] as number)] as number;
    if (state >= firstOutput) reportState(layout, literals, state, text, end, from, end, hits);
  }
  const bytes = table.byteLength + offsets.byteLength + outputs.byteLength + literals.bytes + 256;
  const rowCount = offsets.length - 1;
  return {
    scan,
    createHits: () => createHits(classes.length, rowCount),
    classCount: classes.length,
    bytes,
  };
}

/** Reports what a state has found, and the state as done with once all its classes have been reported. */
function reportState(
  { offsets, outputs, firstOutput }: Layout,
  literals: Literals,
  state: number,
  text: string,
  at: number,
  start: number,
  end: number,
  hits: Hits,
): void {
  const { stamps, list, rows, generation } = hits;
  const row = state - firstOutput;
  const last = offsets[row + 1] as number;
  let all = true;
  for (let index = offsets[row] as number; index < last; index += 1) {
    const literal = outputs[index] as number;
    const id = literals.classOf[literal] as number;
    if (stamps[id] === generation) continue;
    if (!stands(literals, literal, text, at, start, end)) {
      all = false;
      continue;
    }
    stamps[id] = generation;
    list[hits.count] = id;
    hits.count += 1;
  }
  if (all) rows[row] = generation;
}
