import type { Assertion, ByteSet, PatternNode } from './ast.ts';
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
  const program: Instruction[] = [];
  const problem = emit(parsed.node, program);
  if (problem) return { ok: false, issue: { reason: problem, at: 0 } };
  program.push({ kind: 'match' });
  return { ok: true, pattern: { matchEnd: (text) => simulate(program, text) } };
}

type Instruction =
  | { readonly kind: 'byte'; readonly set: ByteSet }
  | { readonly kind: 'assert'; readonly assertion: Assertion }
  | { readonly kind: 'split'; first: number; second: number }
  | { readonly kind: 'jump'; to: number }
  | { readonly kind: 'match' };

/** @returns why the node can't be run, or undefined when it was added */
function emit(node: PatternNode, program: Instruction[]): string | undefined {
  if (program.length > maxStates) return `the pattern is too large (more than ${maxStates} states)`;
  switch (node.kind) {
    case 'set':
      program.push({ kind: 'byte', set: node.set });
      return undefined;
    case 'assert':
      program.push(node);
      return undefined;
    case 'irregular':
      return `a ${node.what} can't be matched in bounded time`;
    case 'sequence':
      for (const item of node.items) {
        const problem = emit(item, program);
        if (problem) return problem;
      }
      return undefined;
    case 'either':
      return emitEither(node.items, program);
    case 'repeat':
      return emitRepeat(node.item, node.min, node.max, program);
  }
}

function emitEither(items: readonly PatternNode[], program: Instruction[]): string | undefined {
  const jumps: { kind: 'jump'; to: number }[] = [];
  for (const [index, item] of items.entries()) {
    const last = index === items.length - 1;
    const split = { kind: 'split' as const, first: program.length + 1, second: 0 };
    if (!last) program.push(split);
    const problem = emit(item, program);
    if (problem) return problem;
    if (last) break;
    const jump = { kind: 'jump' as const, to: 0 };
    jumps.push(jump);
    program.push(jump);
    split.second = program.length;
  }
  for (const jump of jumps) jump.to = program.length;
  return undefined;
}

function emitRepeat(item: PatternNode, min: number, max: number, program: Instruction[]): string | undefined {
  for (let count = 0; count < min; count += 1) {
    const problem = emit(item, program);
    if (problem) return problem;
  }
  if (max === Infinity) {
    const split = { kind: 'split' as const, first: program.length + 1, second: 0 };
    program.push(split);
    const problem = emit(item, program);
    program.push({ kind: 'jump', to: program.indexOf(split) });
    split.second = program.length;
    return problem;
  }
  const splits: { kind: 'split'; first: number; second: number }[] = [];
  for (let count = min; count < max; count += 1) {
    const split = { kind: 'split' as const, first: program.length + 1, second: 0 };
    splits.push(split);
    program.push(split);
    const problem = emit(item, program);
    if (problem) return problem;
  }
  for (const split of splits) split.second = program.length;
  return undefined;
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

function holds(assertion: Assertion, text: string, at: number): boolean {
  switch (assertion) {
    case 'start':
      return at === 0;
    case 'end':
      return at === text.length;
    case 'line start':
      return at === 0 || text[at - 1] === '\n';
    case 'line end':
      return at === text.length || text[at] === '\n';
    case 'word edge':
      return isWord(text, at - 1) !== isWord(text, at);
    case 'no word edge':
      return isWord(text, at - 1) === isWord(text, at);
  }
}

function isWord(text: string, at: number): boolean {
  return /\w/.test(text.charAt(at));
}
