import type { Assertion, ByteSet, PatternNode } from './ast.ts';
import { edgeFlag } from './beside.ts';
import { backtrackingReach } from './cost.ts';
import { edgeOf } from './edges.ts';
import { createLazyAutomaton, type LazyAutomaton } from './lazy-automaton.ts';
import { buildSteps } from './nfa.ts';
import { type PatternOptions, parsePattern } from './parse.ts';
import { type CompiledLook, compileProgram, type StepProgram } from './program.ts';

/** A matcher that finds what a backtracking one would, in a bounded number of steps. */
export interface BoundedPattern {
  /** the length up to which a backtracking matcher stays within {@link backtrackingSteps} steps on any text */
  readonly backtrackingReach: number;
  /**
   * @returns the whole match and its groups (undefined where one took no part); undefined without a match; and
   * `exceeded` where the bound on steps was reached before that was known
   * @param spend told how many steps it took
   */
  readonly exec: (text: string, spend?: (steps: number) => void) => BoundedMatch | undefined | 'exceeded';
}

export type BoundedMatch = readonly (string | undefined)[];

export type CompiledBounded =
  | { readonly ok: true; readonly pattern: BoundedPattern }
  | { readonly ok: false; readonly reason: string };

/**
 * Compiles a pattern to steps that are walked with backtracking and a memory of the places where walking on has
 * failed: at most pattern × text steps, however it is nested. Lookarounds are looked at anew from each place, and
 * with back references there can be no such memory; there the bound on steps is what holds.
 * @param source a JavaScript regular expression without the `u` and `v` flags
 * @see Cox, Regular expression matching: the virtual machine approach (2009); Davis et al., Using selective
 * memoization to defeat regular expression denial of service, IEEE S&P 2021
 */
export function compileBounded(source: string, options: PatternOptions = {}): CompiledBounded {
  const parsed = parsePattern(source, { ...options, detailed: true });
  if (!parsed.ok) return { ok: false, reason: parsed.issue.reason };
  const { node, groups } = parsed;
  const program = compileProgram(node, groups);
  if (typeof program === 'string') return { ok: false, reason: program };
  const filter = filterOf(node);
  const { set, nullable } = edgeOf(node, 'first');
  // A match that begins with an assertion on the text's edge may begin anywhere for all that the edge tells.
  const first = nullable || set[edgeFlag] === 1 ? undefined : set;
  return {
    ok: true,
    pattern: {
      backtrackingReach: backtrackingReach(node, backtrackingSteps),
      exec: (text, spend) => {
        if (filter?.matchEnd(text) === -1) return undefined;
        return search({ program, first, groups, ignoreCase: options.ignoreCase === true }, text, spend);
      },
    },
  };
}

const maxFilterStates = 10_000;

/** Most texts hold no match, and an automaton says that at a fraction of the price. */
function filterOf(node: PatternNode): LazyAutomaton | undefined {
  const built = buildSteps(node, { maxStates: maxFilterStates, widen: true });
  return typeof built === 'string' ? undefined : createLazyAutomaton(built);
}

/** V8 does these in a millisecond or two. */
const backtrackingSteps = 1_000_000;

/** At 5 to 10 ns a step, this bounds a search in 128 KB to some tens of milliseconds. */
const leastSteps = 4_000_000;
const stepsPerByte = 64;

/** Steps that comparing with what a group captured takes, however short that is. */
const comparing = 8;

/** Bits of memory beyond which a text is not searched: 16 MiB of them. */
const maxMemory = 128 * 1024 * 1024;

interface Search {
  readonly text: string;
  readonly ignoreCase: boolean;
  readonly slots: Int32Array;
  left: number;
}

interface Searchable {
  readonly program: StepProgram;
  readonly first: ByteSet | undefined;
  readonly groups: number;
  readonly ignoreCase: boolean;
}

function search(
  { program, first, groups, ignoreCase }: Searchable,
  text: string,
  spend: ((steps: number) => void) | undefined,
): BoundedMatch | undefined | 'exceeded' {
  if (program.joins * (text.length + 1) > maxMemory) return 'exceeded';
  const most = Math.max(leastSteps, text.length * stepsPerByte);
  const state: Search = { text, ignoreCase, slots: new Int32Array(program.slots).fill(-1), left: most };
  const [start, end] = walkAll(program, first, state);
  spend?.(most - state.left);
  if (state.left < 0) return 'exceeded';
  return end < 0 ? undefined : cut(state, groups, start, end);
}

/** Walks from each place in turn. @returns where the first match begins and ends */
function walkAll(
  program: StepProgram,
  first: ByteSet | undefined,
  state: Search,
): readonly [start: number, end: number] {
  const { text } = state;
  const visited = program.remembers ? undefined : new Bits(program.joins * (text.length + 1));
  const last = program.anchored ? 0 : text.length;
  for (let at = 0; at <= last && state.left >= 0; at += 1) {
    if (first && (at === text.length || first[text.charCodeAt(at) & 255] !== 1)) continue;
    const end = walk(program, state, at, visited);
    if (end >= 0) return [at, end];
  }
  return [-1, -1];
}

function cut({ text, slots }: Search, groups: number, start: number, end: number): BoundedMatch {
  const found: (string | undefined)[] = [text.slice(start, end)];
  for (let group = 1; group <= groups; group += 1) {
    const [from = -1, to = -1] = [slots[group * 2], slots[group * 2 + 1]];
    found.push(from < 0 || to < from ? undefined : text.slice(from, to));
  }
  return found;
}

/** Places that are known to lead nowhere, by join and place in the text. */
interface Memory {
  /** @returns whether it was there before */
  readonly add: (place: number) => boolean;
}

class Bits implements Memory {
  private readonly words: Uint32Array;
  constructor(size: number) {
    this.words = new Uint32Array((size >>> 5) + 1);
  }
  add(place: number): boolean {
    const word = this.words[place >>> 5] ?? 0;
    const bit = 1 << (place & 31);
    this.words[place >>> 5] = word | bit;
    return (word & bit) !== 0;
  }
}

/** For looks, which see little of a text. */
class Places implements Memory {
  private readonly all = new Set<number>();
  add(place: number): boolean {
    const before = this.all.size;
    return this.all.add(place).size === before;
  }
}

/**
 * Walks from one place of the text.
 * @param visited filled while walking
 * @param mustEnd where the match has to end; -1 for anywhere
 * @returns where the match ends, or -1
 */
function walk(
  program: StepProgram,
  state: Search,
  from: number,
  visited: Memory | undefined,
  mustEnd = -1,
): number {
  const { text, slots } = state;
  const width = text.length + 1;
  // Pairs to go back to: a step and a place; or, the step being negative, a slot and what it held before.
  const back: number[] = [0, from];
  while (back.length > 0) {
    let at = back.pop() ?? 0;
    let index = back.pop() ?? 0;
    if (index < 0) {
      slots[-index - 1] = at;
      continue;
    }
    for (;;) {
      const step = program.steps[index];
      state.left -= 1;
      if (!step || state.left < 0) return -1;
      if (step.join >= 0 && visited?.add(step.join * width + at)) break;
      index += 1;
      if (step.kind === 'byte') {
        if (at >= text.length || step.set[text.charCodeAt(at) & 255] !== 1) break;
        at += 1;
      } else if (step.kind === 'split') {
        back.push(step.second, at);
        index = step.first;
      } else if (step.kind === 'jump') index = step.to;
      else if (step.kind === 'save' || step.kind === 'mark') {
        back.push(-step.slot - 1, slots[step.slot] ?? -1);
        slots[step.slot] = at;
      } else if (step.kind === 'match') {
        if (mustEnd >= 0 && mustEnd !== at) break;
        return at;
      } else {
        const next = step.kind === 'look' ? look(step.look, state, at, back) : pass(step, state, at);
        if (next < 0) break;
        at = next;
      }
    }
  }
  return -1;
}

type Rare = Extract<StepProgram['steps'][number], { readonly kind: 'assert' | 'moved' | 'refer' }>;

/** @returns the place after a step, or -1 where it fails */
function pass(step: Rare, state: Search, at: number): number {
  const { text, slots, ignoreCase } = state;
  if (step.kind === 'assert') return holds(step.assertion, text, at) ? at : -1;
  if (step.kind === 'moved') return slots[step.slot] === at ? -1 : at;
  const [from = -1, to = -1] = [slots[step.group * 2], slots[step.group * 2 + 1]];
  if (from < 0 || to < from) return at;
  const end = at + to - from;
  if (end > text.length) return -1;
  // Bytes are compared sixteen at a step, but for those whose case is folded.
  state.left -= comparing + (ignoreCase ? to - from : (to - from) >> 4);
  const wanted = text.slice(from, to);
  const there = text.slice(at, end);
  const same = wanted === there || (ignoreCase && wanted.toLowerCase() === there.toLowerCase());
  return same ? end : -1;
}

/** @returns the place after a look, or -1 where it fails; what it captured is undone by `back` */
function look(
  { program, negative, atomic, lengths }: CompiledLook,
  state: Search,
  at: number,
  back: number[],
) {
  const { slots } = state;
  const held = slots.slice();
  let end = -1;
  for (const length of lengths ?? [0]) {
    const memory = program.joins > 0 && !program.remembers ? new Places() : undefined;
    const before = state.left;
    if (length <= at) end = walk(program, state, at - length, memory, lengths ? at : -1);
    // This memory is ten times as slow as the other.
    if (memory) state.left -= (before - state.left) * 4;
    if (end >= 0) break;
  }
  if (end < 0 || negative) {
    slots.set(held);
    return end < 0 === negative ? at : -1;
  }
  for (const [slot, value] of held.entries()) if (slots[slot] !== value) back.push(-slot - 1, value);
  return atomic ? end : at;
}

/** Whether an assertion holds at a place of a text. */
export function holds(assertion: Assertion, text: string, at: number): boolean {
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
