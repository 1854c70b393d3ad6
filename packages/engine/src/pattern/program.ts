import type { Assertion, ByteSet, Look, PatternNode } from './ast.ts';

/** One step of a pattern. `join`: several ways lead here, so a matcher that was here before need not go on. */
export type Step = StepKind & { join: number };

type StepKind =
  | { readonly kind: 'byte'; readonly set: ByteSet }
  | { readonly kind: 'assert'; readonly assertion: Assertion }
  | { readonly kind: 'split'; first: number; second: number }
  | { readonly kind: 'jump'; to: number }
  | { readonly kind: 'save'; readonly slot: number }
  /** notes where an iteration that may match nothing begins, and fails when it ends there */
  | { readonly kind: 'mark'; readonly slot: number }
  | { readonly kind: 'moved'; readonly slot: number }
  | { readonly kind: 'look'; readonly look: CompiledLook }
  | { readonly kind: 'refer'; readonly group: number }
  | { readonly kind: 'match' };

export interface CompiledLook {
  readonly program: StepProgram;
  readonly negative: boolean;
  /** the walk goes on where its match ends */
  readonly atomic: boolean;
  /** how far back a look behind may begin; absent for a look ahead */
  readonly lengths: readonly number[] | undefined;
}

/** A pattern as steps for {@link runBounded}. */
export interface StepProgram {
  readonly steps: readonly Step[];
  /** captures, two slots each, then marks */
  readonly slots: number;
  /** how many steps are joins */
  readonly joins: number;
  /** holds a back reference, so that where a matcher stands does not tell all it knows */
  readonly remembers: boolean;
  /** can only match where the text begins */
  readonly anchored: boolean;
}

/** A pattern of more steps than this is refused: it would be all counted repetitions of counted repetitions. */
const maxSteps = 60_000;

class TooLarge extends Error {}

/** @returns why it can't be run, or the program */
export function compileProgram(node: PatternNode, groups: number): StepProgram | string {
  try {
    return compile(node, { slots: (groups + 1) * 2, size: 0 });
  } catch (error) {
    if (error instanceof TooLarge) return error.message;
    throw error;
  }
}

interface Budget {
  slots: number;
  size: number;
}

interface Work {
  readonly steps: Step[];
  readonly budget: Budget;
  remembers: boolean;
}

function compile(node: PatternNode, budget: Budget): StepProgram {
  const work: Work = { steps: [], budget, remembers: false };
  emit(node, work);
  add(work, { kind: 'match' });
  const joins = numberJoins(work.steps);
  return {
    steps: work.steps,
    slots: budget.slots,
    joins,
    remembers: work.remembers,
    anchored: isAnchored(node),
  };
}

function add<Kind extends StepKind>(work: Work, step: Kind): Kind {
  const { steps, budget } = work;
  budget.size += 1;
  if (budget.size > maxSteps) throw new TooLarge(`the pattern is too large (more than ${maxSteps} steps)`);
  const added = { ...step, join: -1 };
  steps.push(added);
  return added;
}

function emit(node: PatternNode, work: Work): void {
  switch (node.kind) {
    case 'set':
    case 'assert':
      add(work, node.kind === 'set' ? { kind: 'byte', set: node.set } : node);
      return;
    case 'sequence':
      emitSequence(node.items, work);
      return;
    case 'either':
      emitEither(node.items, work);
      return;
    case 'repeat':
      emitRepeat(node, work);
      return;
    case 'capture':
      add(work, { kind: 'save', slot: node.index * 2 });
      emit(node.item, work);
      add(work, { kind: 'save', slot: node.index * 2 + 1 });
      return;
    case 'irregular':
      emitIrregular(node, work);
  }
}

function emitSequence(items: readonly PatternNode[], work: Work): void {
  let atomic: PatternNode | undefined;
  for (const [index, item] of items.entries()) {
    if (item === atomic) continue;
    const inner = atomicPart(item, items[index + 1]);
    if (!inner) {
      emit(item, work);
      continue;
    }
    atomic = items[index + 1];
    addLook({ behind: false, negative: false, item: inner }, true, work);
  }
}

/** `(?=(x))\1` is how an atomic group is written in JavaScript: what it needs to remember is where it ends. */
function atomicPart(node: PatternNode, next: PatternNode | undefined): PatternNode | undefined {
  if (node.kind !== 'irregular' || node.look?.item.kind !== 'sequence') return undefined;
  const { look } = node;
  const [capture, more] = node.look.item.items;
  if (look.behind || look.negative || more || capture?.kind !== 'capture') return undefined;
  return next?.kind === 'irregular' && next.group === capture.index ? capture : undefined;
}

function addLook({ behind, negative, item }: Look, atomic: boolean, work: Work): void {
  const lengths = behind ? [...lengthsOf(item)] : undefined;
  const program = compile(item, work.budget);
  if (program.remembers) work.remembers = true;
  add(work, { kind: 'look', look: { program, negative, atomic, lengths } });
}

function emitIrregular(node: Extract<PatternNode, { kind: 'irregular' }>, work: Work): void {
  if (!node.look) {
    work.remembers = true;
    add(work, { kind: 'refer', group: node.group ?? 0 });
    return;
  }
  addLook(node.look, false, work);
}

function emitEither(items: readonly PatternNode[], work: Work): void {
  const jumps: { to: number }[] = [];
  for (const [index, item] of items.entries()) {
    const last = index === items.length - 1;
    const split = last ? undefined : add(work, { kind: 'split', first: work.steps.length + 1, second: 0 });
    emit(item, work);
    if (!split) break;
    jumps.push(add(work, { kind: 'jump', to: 0 }));
    split.second = work.steps.length;
  }
  for (const jump of jumps) jump.to = work.steps.length;
}

function emitRepeat({ item, min, max, lazy }: Extract<PatternNode, { kind: 'repeat' }>, work: Work): void {
  const { steps } = work;
  for (let count = 0; count < min; count += 1) {
    const before = steps.length;
    emit(item, work);
    // What says nothing once says nothing 99,999 times.
    if (steps.length === before) return;
  }
  const splits: { first: number; second: number }[] = [];
  const rounds = max === Infinity ? 1 : max - min;
  for (let round = 0; round < rounds; round += 1) {
    const head = steps.length;
    const split = add(work, { kind: 'split', first: head + 1, second: head + 1 });
    splits.push(split);
    emitIteration(item, work);
    if (steps.length === head + 1) break;
    if (max === Infinity) add(work, { kind: 'jump', to: head });
  }
  for (const split of splits) split[lazy ? 'first' : 'second'] = steps.length;
}

/** An iteration that matches nothing would go on for ever, so it fails, as ECMA-262 has it. */
function emitIteration(item: PatternNode, work: Work): void {
  if (!isNullable(item)) {
    emit(item, work);
    return;
  }
  const slot = work.budget.slots;
  work.budget.slots += 1;
  const before = work.steps.length;
  add(work, { kind: 'mark', slot });
  emit(item, work);
  if (work.steps.length === before + 1) work.steps.pop();
  else add(work, { kind: 'moved', slot });
}

function isNullable(node: PatternNode): boolean {
  switch (node.kind) {
    case 'set':
      return false;
    case 'assert':
    case 'irregular':
      return true;
    case 'sequence':
      return node.items.every(isNullable);
    case 'either':
      return node.items.some(isNullable);
    case 'repeat':
      return node.min === 0 || isNullable(node.item);
    case 'capture':
      return isNullable(node.item);
  }
}

/** Numbers the steps that several ways lead to; @returns how many there are. */
function numberJoins(steps: readonly Step[]): number {
  const ways = new Uint32Array(steps.length + 1);
  const arrive = (at: number) => {
    ways[at] = (ways[at] ?? 0) + 1;
  };
  arrive(0);
  for (const [index, step] of steps.entries()) {
    if (step.kind === 'split') {
      arrive(step.first);
      arrive(step.second);
    } else if (step.kind === 'jump') arrive(step.to);
    else arrive(index + 1);
  }
  let joins = 0;
  for (const [index, step] of steps.entries()) {
    if ((ways[index] ?? 0) < 2) continue;
    step.join = joins;
    joins += 1;
  }
  return joins;
}

/** Our matcher begins where a match may: what takes no character before the `^` makes no other place one. */
function isAnchored(node: PatternNode): boolean {
  switch (node.kind) {
    case 'assert':
      return node.assertion === 'start';
    case 'capture':
      return isAnchored(node.item);
    case 'sequence': {
      const first = node.items.find((item) => item.kind !== 'irregular');
      return first !== undefined && isAnchored(first);
    }
    case 'either':
      return node.items.every(isAnchored);
    default:
      return false;
  }
}

const maxLookBehind = 256;

/** The lengths that a match may have. PCRE itself wants them fixed in each alternative. */
function lengthsOf(node: PatternNode): Set<number> {
  switch (node.kind) {
    case 'set':
      return new Set([1]);
    case 'assert':
      return new Set([0]);
    case 'irregular':
      if (!node.look) throw new TooLarge('a back reference inside of a look behind');
      return new Set([0]);
    case 'capture':
      return lengthsOf(node.item);
    case 'either':
      return new Set(node.items.flatMap((item) => [...lengthsOf(item)]));
    case 'sequence':
      return node.items.map(lengthsOf).reduce(sums, new Set([0]));
    case 'repeat': {
      if (node.max > maxLookBehind) throw new TooLarge('a look behind without a bound');
      const once = lengthsOf(node.item);
      let all = new Set([0]);
      const lengths = new Set<number>();
      for (let count = 0; count <= node.max; count += 1) {
        if (count >= node.min) for (const length of all) lengths.add(length);
        all = sums(all, once);
      }
      return lengths;
    }
  }
}

function sums(left: ReadonlySet<number>, right: ReadonlySet<number>): Set<number> {
  const all = new Set([...left].flatMap((one) => [...right].map((other) => one + other)));
  if ([...all].some((length) => length > maxLookBehind)) throw new TooLarge('a look behind without a bound');
  return all;
}
