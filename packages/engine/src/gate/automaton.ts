import { edgeFlag } from '../pattern/index.ts';
import { createHits, type Hits } from './hits.ts';
import { compileLiterals, type GateLiteral, type Literals, stands } from './literals.ts';
import { layOut } from './trie.ts';

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
  const { table, shift, symbols, start: first, firstOutput, offsets, outputs } = layOut(literals.heads);

  function scan(text: string, start: number, end: number, hits: Hits): void {
    const { rows, generation } = hits;
    let state = first;
    for (let at = start; at <= end; at += 1) {
      const code = at < end ? text.charCodeAt(at) & 255 : edgeFlag;
      state = table[(state << shift) | (symbols[code] as number)] as number;
      if (state < firstOutput) continue;
      const row = state - firstOutput;
      if (rows[row] === generation) continue;
      if (
        report(
          literals,
          outputs,
          offsets[row] as number,
          offsets[row + 1] as number,
          text,
          at,
          start,
          end,
          hits,
        )
      )
        rows[row] = generation;
    }
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

/** @returns whether every class that this state can report has been reported */
function report(
  literals: Literals,
  outputs: Int32Array,
  first: number,
  last: number,
  text: string,
  at: number,
  start: number,
  end: number,
  hits: Hits,
): boolean {
  const { stamps, list, generation } = hits;
  let all = true;
  for (let index = first; index < last; index += 1) {
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
  return all;
}
