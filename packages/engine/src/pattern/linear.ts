import { holds } from './bounded.ts';
import { createLazyAutomaton } from './lazy-automaton.ts';
import { buildSteps, type Instruction } from './nfa.ts';
import { type PatternIssue, type PatternOptions, parsePattern } from './parse.ts';

/** A matcher whose time is bounded by pattern size × text length, whatever the text. */
export interface LinearPattern {
  /** @returns where a match ends (exclusive), or -1; the leftmost place at which any match can end */
  readonly matchEnd: (text: string) => number;
}

export type CompiledLinear =
  | { readonly ok: true; readonly pattern: LinearPattern }
  | { readonly ok: false; readonly issue: PatternIssue };

/** A pattern of more states than this is refused: at 1 µs a state and kilobyte it would be felt. */
export const maxStates = 1000;

/**
 * Compiles a pattern to an automaton that is simulated, never backtracked, so that a pattern from an operator
 * can't stall a request. What is no regular language (lookaround, back references) is refused.
 * @see Thompson, Regular expression search algorithm, CACM 11(6), 1968
 */
export function compileLinear(source: string, options: PatternOptions = {}): CompiledLinear {
  const parsed = parsePattern(source, options);
  if (!parsed.ok) return parsed;
  const program = buildSteps(parsed.node, { maxStates });
  if (typeof program === 'string') return { ok: false, issue: { reason: program, at: 0 } };
  const lazy = createLazyAutomaton(program);
  const matchEnd = (text: string): number => {
    const end = lazy.matchEnd(text);
    return end === 'unknown' ? simulate(program, text) : end;
  };
  return { ok: true, pattern: { matchEnd } };
}

function simulate(program: readonly Instruction[], text: string): number {
  const seen = new Int32Array(program.length).fill(-1);
  let current: number[] = [];
  let next: number[] = [];
  for (let at = 0; at <= text.length; at += 1) {
    // A match may start anywhere, so the start joins at every place.
    if (follow(program, text, at, 0, seen, current)) return at;
    if (at === text.length) break;
    const code = text.charCodeAt(at) & 255;
    next = [];
    for (const index of current) {
      const instruction = program[index];
      if (instruction?.kind !== 'byte' || instruction.set[code] !== 1) continue;
      if (follow(program, text, at + 1, index + 1, seen, next)) return at + 1;
    }
    current = next;
  }
  return -1;
}

/** Adds to `into` every byte instruction reachable without reading; true when a match is reached. */
function follow(
  program: readonly Instruction[],
  text: string,
  at: number,
  from: number,
  seen: Int32Array,
  into: number[],
): boolean {
  const pending = [from];
  for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
    if (seen[index] === at) continue;
    seen[index] = at;
    const instruction = program[index];
    if (!instruction || instruction.kind === 'match') return true;
    if (instruction.kind === 'byte') into.push(index);
    else if (instruction.kind === 'jump') pending.push(instruction.to);
    else if (instruction.kind === 'split') pending.push(instruction.second, instruction.first);
    else if (holds(instruction.assertion, text, at)) pending.push(index + 1);
  }
  return false;
}
