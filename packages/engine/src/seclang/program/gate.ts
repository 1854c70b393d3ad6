import { type Automaton, buildAutomaton, resetHits } from '../../gate/index.ts';
import type { Bits, Subject } from '../state/index.ts';
import type { SecRule } from './rule.ts';

/** Tells from one pass over a text which rules can match it at all. */
export interface RuleGate {
  /** 32-bit words of a set of gate bits */
  readonly words: number;
  /**
   * The bits of the rules whose required literals are all there; kept on the subject, for as long as it is. Whoever
   * finds that a rule does not match the text, and will not in any request, clears its bit.
   */
  readonly bitsOf: (subject: Subject) => Bits;
}

/** Whether a bit is set. */
export function hasBit(bits: Bits, bit: number): boolean {
  return (((bits[bit >>> 5] ?? 0) >>> (bit & 31)) & 1) === 1;
}

/** Clears a bit. */
export function clearBit(bits: Bits, bit: number): void {
  bits[bit >>> 5] = (bits[bit >>> 5] ?? 0) & ~(1 << (bit & 31));
}

/**
 * What any text that a rule matches must hold, as clauses of literals; none where nothing is known: of a negated
 * operator, of a count, and of all steps of a text under multiMatch.
 */
export function requiredBy({ targets, operator, multiMatch }: SecRule): readonly (readonly string[])[] {
  if (operator.negated || multiMatch || !targets || targets.include.some(({ count }) => count)) return [];
  return operator.required ?? [];
}

/**
 * Builds the gate.
 * @param required by gate bit: clauses, of each of which at least one literal must occur in a text; without any,
 * the bit is set for every text
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
  const open: Bits = Array.from({ length: words }, () => 0);
  for (const [bit, clauses] of needed.entries()) {
    if (clauses === 0) open[bit >>> 5] = (open[bit >>> 5] ?? 0) | (1 << (bit & 31));
  }
  function bitsOf(subject: Subject): Bits {
    if (subject.gates) return subject.gates;
    const gates = open.slice();
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
