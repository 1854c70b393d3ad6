import type { Assertion } from './ast.ts';
import type { Instruction } from './nfa.ts';

/** Says where a pattern first can end, at the price of one look-up a byte. */
export interface LazyAutomaton {
  /**
   * @returns where a match ends (exclusive), -1 without one, the leftmost place at which any match can end;
   * `unknown` where the text leads through so many states that making them is not worth it
   */
  readonly matchEnd: (text: string) => number | 'unknown';
}

/**
 * An automaton that is in one state at a time, each a set of steps of the given one. States are made when a text
 * first leads to them and kept up to a bound.
 * @see Cox, Regular expression matching in the wild (2010)
 */
export function createLazyAutomaton(program: readonly Instruction[]): LazyAutomaton {
  let machine: Machine | undefined;
  return {
    matchEnd: (text) => {
      machine ??= newMachine(program);
      machine.left = maxMaking;
      return matchEnd(machine, text);
    },
  };
}

/** Entries of all states' tables, 4 bytes each: as many to begin with, and at most. */
const firstEntries = 2048;
const maxEntries = 32_768;

/** Steps looked at in making states for one text. */
const maxMaking = 400_000;

const accepted = -2;
const unknown = -1;

interface ByteClasses {
  /** by byte */
  readonly classOf: Uint8Array;
  /** a byte of each class */
  readonly sample: readonly number[];
  /** of classes; the end of the text is one more */
  readonly count: number;
}

interface State {
  readonly steps: readonly number[];
  /** the byte before, or rather one that assertions can't tell from it; -1 where the text begins */
  readonly before: number;
}

interface Machine {
  readonly program: readonly Instruction[];
  readonly context: Context;
  readonly bytes: ByteClasses;
  /** by state and class of the next byte: the next state */
  table: Int32Array;
  readonly numbers: Map<string, number>;
  readonly members: State[];
  readonly seen: Int32Array;
  mark: number;
  left: number;
}

/** What of the byte before an assertion of the pattern asks for. */
interface Context {
  readonly words: boolean;
  readonly lines: boolean;
}

function newMachine(program: readonly Instruction[]): Machine {
  const asks = (what: RegExp) => program.some((step) => step.kind === 'assert' && what.test(step.assertion));
  const context = { words: asks(/word/), lines: asks(/line/) };
  return {
    program,
    context,
    bytes: classesOf(program, context),
    table: new Int32Array(firstEntries).fill(unknown),
    numbers: new Map(),
    members: [],
    seen: new Int32Array(program.length).fill(-1),
    mark: 0,
    left: 0,
  };
}

function matchEnd(machine: Machine, text: string): number | 'unknown' {
  const { classOf, count } = machine.bytes;
  const width = count + 1;
  let state = numberOf(machine, { steps: [], before: -1 });
  for (let at = 0; at <= text.length; at += 1) {
    const entry = state * width + (at === text.length ? count : (classOf[text.charCodeAt(at) & 255] ?? 0));
    let next = machine.table[entry] ?? unknown;
    if (next === unknown) {
      const made = makeNext(machine, state, entry);
      if (made === undefined) return 'unknown';
      next = made;
    }
    if (next === accepted) return at;
    state = next;
  }
  return -1;
}

/** Works out where a state leads, and notes it. @returns undefined where enough was spent on this text */
function makeNext(machine: Machine, state: number, entry: number): number | undefined {
  const { bytes, members, program } = machine;
  const member = members[state];
  if (!member || machine.left < 0) return undefined;
  const next = bytes.sample[entry % (bytes.count + 1)] ?? -1;
  const reached = closure(machine, member, next);
  if (!reached) {
    machine.table[entry] = accepted;
    return accepted;
  }
  const takes = (index: number) => {
    const step = program[index];
    return next >= 0 && step?.kind === 'byte' && step.set[next] === 1;
  };
  const steps = reached
    .filter(takes)
    .map((index) => index + 1)
    .sort((left, right) => left - right);
  const found = numberOf(machine, { steps, before: next });
  // Noted only where the states were not thrown away meanwhile.
  if (members[state] === member) machine.table[entry] = found;
  return found;
}

/** The byte steps that are reached without reading; undefined when a match is. */
function closure(machine: Machine, { steps, before }: State, next: number): number[] | undefined {
  const { program, seen } = machine;
  if (machine.mark > 1e9) {
    seen.fill(-1);
    machine.mark = 0;
  }
  machine.mark += 1;
  const { mark } = machine;
  const reached: number[] = [];
  // A match may begin anywhere, so the start joins in at every place.
  const pending = [...steps, 0];
  for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
    if (seen[index] === mark) continue;
    seen[index] = mark;
    machine.left -= 1;
    const step = program[index];
    if (!step || step.kind === 'match') return undefined;
    if (step.kind === 'byte') reached.push(index);
    else if (step.kind === 'jump') pending.push(step.to);
    else if (step.kind === 'split') pending.push(step.second, step.first);
    else if (holdsBetween(step.assertion, before, next)) pending.push(index + 1);
  }
  return reached;
}

function numberOf(machine: Machine, state: State): number {
  const { numbers, members } = machine;
  const key = `${kindOf(state.before, machine.context)} ${state.steps.join()}`;
  const known = numbers.get(key);
  if (known !== undefined) return known;
  if ((members.length + 1) * (machine.bytes.count + 1) > machine.table.length) makeRoom(machine);
  const number = members.push(state) - 1;
  numbers.set(key, number);
  return number;
}

function makeRoom(machine: Machine): void {
  const { table, numbers, members } = machine;
  if (table.length < maxEntries) {
    machine.table = new Int32Array(table.length * 2).fill(unknown);
    machine.table.set(table);
    return;
  }
  numbers.clear();
  members.length = 0;
  table.fill(unknown);
}

/** Bytes that assertions can't tell apart, the edge being one of them, are of one kind. */
function kindOf(byte: number, { words, lines }: Context): string {
  if (byte < 0) return 'edge';
  return `${words && isWord(byte) ? 'word' : ''}${lines && byte === newline ? 'line' : ''}`;
}

/** Bytes that no step tells apart are one class. */
function classesOf(program: readonly Instruction[], context: Context): ByteClasses {
  const keys = Array.from({ length: 256 }, (_unused, byte) => `${kindOf(byte, context)} `);
  for (const step of program) {
    if (step.kind !== 'byte') continue;
    for (let byte = 0; byte < 256; byte += 1) keys[byte] += step.set[byte] === 1 ? '1' : '0';
  }
  const numbers = new Map<string, number>();
  const sample: number[] = [];
  const classOf = new Uint8Array(256);
  for (const [byte, key] of keys.entries()) {
    const known = numbers.get(key) ?? sample.push(byte) - 1;
    numbers.set(key, known);
    classOf[byte] = known;
  }
  return { classOf, sample, count: sample.length };
}

const newline = 10;

/** Whether an assertion holds between two bytes; -1 stands for the edge of the text. */
function holdsBetween(assertion: Assertion, before: number, next: number): boolean {
  switch (assertion) {
    case 'start':
      return before < 0;
    case 'end':
      return next < 0;
    case 'line start':
      return before < 0 || before === newline;
    case 'line end':
      return next < 0 || next === newline;
    case 'word edge':
      return isWord(before) !== isWord(next);
    case 'no word edge':
      return isWord(before) === isWord(next);
  }
}

function isWord(byte: number): boolean {
  return byte >= 0 && /\w/.test(String.fromCharCode(byte));
}
