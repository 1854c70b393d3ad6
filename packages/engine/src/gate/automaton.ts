import { edgeFlag } from '../pattern/index.ts';
import { createHits, type Hits } from './hits.ts';
import { compileLiterals, type GateLiteral, type Literals, recordSize, stands } from './literals.ts';
import { atOnce, type Steps } from './steps.ts';
import { type Layout, layOut, pieceShift } from './trie.ts';

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
  return atOnce(automatonInSteps(classes));
}

/** The same, step by step: of all built-in rules it takes a tenth of a second. */
export function* automatonInSteps(classes: readonly (readonly GateLiteral[])[]): Steps<Automaton> {
  const literals = yield* compileLiterals(classes);
  const layout = yield* layOut(literals.heads);
  const { table, offsets } = layout;
  const outputs = recordsOf(literals, layout.outputs);
  function scan(text: string, from: number, end: number, hits: Hits): void {
    hits.state = layout.start;
    for (
      let at = advance(layout, text, from, end, hits);
      at < end;
      at = advance(layout, text, at + 1, end, hits)
    )
      reportState(layout, literals, outputs, hits.state, text, at, from, end, hits);
    const last = table[(hits.state << pieceShift) + (layout.places[edgeFlag] as number)] as number;
    if (last >= layout.firstOutput) reportState(layout, literals, outputs, last, text, end, from, end, hits);
  }
  const { rests, besides } = literals;
  const bytes = [table, offsets, outputs, rests, besides, layout.places].reduce(
    (sum, { byteLength }) => sum + byteLength,
    0,
  );
  const rowCount = offsets.length - 1;
  return {
    scan,
    createHits: () => createHits(classes.length, rowCount),
    classCount: classes.length,
    bytes,
  };
}

/**
 * Goes on until a state has something to report; leaves it in `hits.state`. This loop holds no call, so that its arrays stay
 * in registers whatever is compiled around it.
 * @returns where that is, or `end`
 */
function advance(layout: Layout, text: string, from: number, end: number, hits: Hits): number {
  const { table, places, firstOutput } = layout;
  const { rows, generation } = hits;
  let { state } = hits;
  let at = from;
  for (; at < end; at += 1) {
    state = table[(state << pieceShift) + (places[text.charCodeAt(at) & 255] as number)] as number;
    if (state >= firstOutput && rows[state - firstOutput] !== generation) break;
  }
  hits.state = state;
  return at;
}

/** Reports what a state has found, and the state as done with once all its classes have been reported. */
function reportState(
  { offsets, firstOutput }: Layout,
  literals: Literals,
  outputs: Int32Array,
  state: number,
  text: string,
  at: number,
  start: number,
  end: number,
  hits: Hits,
): void {
  const { stamps, list, rows, generation } = hits;
  const row = state - firstOutput;
  const last = (offsets[row + 1] as number) * recordSize;
  let all = true;
  for (let record = (offsets[row] as number) * recordSize; record < last; record += recordSize) {
    const id = (outputs[record] as number) & 0xffffff;
    if (stamps[id] === generation) continue;
    if (!stands(literals, outputs, record, text, at, start, end)) {
      all = false;
      continue;
    }
    stamps[id] = generation;
    list[hits.count] = id;
    hits.count += 1;
  }
  if (all) rows[row] = generation;
}

/** What is known of the literals of each state in turn. */
function recordsOf({ records }: Literals, outputs: Int32Array): Int32Array {
  const laid = new Int32Array(outputs.length * recordSize);
  for (let at = 0; at < laid.length; at += 1) {
    const literal = outputs[Math.floor(at / recordSize)] ?? 0;
    laid[at] = records[literal * recordSize + (at % recordSize)] ?? 0;
  }
  return laid;
}
