import { type Automaton, buildAutomaton, resetHits } from '../../gate/index.ts';
import type { Subject } from '../state/index.ts';

/** Tells from one pass over a text which rules can match it at all. */
export interface RuleGate {
  /** 32-bit words of a set of gate bits */
  readonly words: number;
  /** the bits of the rules whose required literals are all there; kept on the subject */
  readonly bitsOf: (subject: Subject) => Uint32Array;
}

/**
 * Builds the gate.
 * @param required by gate bit: clauses, of each of which at least one literal must occur in a text
 */
export function buildGate(required: readonly (readonly (readonly string[])[])[]): RuleGate {
  const classes: (readonly string[])[] = [];
  const classOf = new Map<string, number>();
  const bitsOfClass: number[][] = [];
  const needed = new Uint8Array(required.length);
  for (const [bit, clauses] of required.entries()) {
    for (const clause of clauses) {
      const key = clause.join('\0');
      const known = classOf.get(key) ?? classes.push(clause) - 1;
      classOf.set(key, known);
      const bits = bitsOfClass[known] ?? [];
      bitsOfClass[known] = bits;
      if (bits.includes(bit)) continue;
      bits.push(bit);
      needed[bit] = (needed[bit] ?? 0) + 1;
    }
  }
  return scanner(buildAutomaton(classes), bitsOfClass, needed);
}

function scanner(automaton: Automaton, bitsOfClass: readonly number[][], needed: Uint8Array): RuleGate {
  const words = (needed.length + 31) >>> 5;
  const hits = automaton.createHits();
  const seen = new Uint8Array(needed.length);
  function bitsOf(subject: Subject): Uint32Array {
    if (subject.gates) return subject.gates;
    const gates = new Uint32Array(words);
    seen.fill(0);
    resetHits(hits);
    automaton.scan(subject.text, 0, subject.text.length, hits);
    for (let index = 0; index < hits.count; index += 1) {
      for (const bit of bitsOfClass[hits.list[index] ?? 0] ?? []) {
        const count = (seen[bit] ?? 0) + 1;
        seen[bit] = count;
        if (count === needed[bit]) gates[bit >>> 5] = (gates[bit >>> 5] ?? 0) | (1 << (bit & 31));
      }
    }
    subject.gates = gates;
    return gates;
  }
  return { words, bitsOf };
}
