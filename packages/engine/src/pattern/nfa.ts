import type { Assertion, ByteSet, PatternNode } from './ast.ts';

/** One step of an automaton that is in several places at once. */
export type Instruction =
  | { readonly kind: 'byte'; readonly set: ByteSet }
  | { readonly kind: 'assert'; readonly assertion: Assertion }
  | { readonly kind: 'split'; first: number; second: number }
  | { readonly kind: 'jump'; to: number }
  | { readonly kind: 'match' };

export interface AutomatonOptions {
  readonly maxStates: number;
  /**
   * leaves lookarounds out, and takes a back reference for its group, so that more is accepted than the pattern
   * does, never less; else both are refused
   */
  readonly widen?: boolean;
}

/** Lays a pattern out as steps. @returns why that can't be done, or the steps */
export function buildSteps(node: PatternNode, options: AutomatonOptions): readonly Instruction[] | string {
  const work: Work = { ...options, program: [], groups: new Map() };
  const problem = emit(node, work);
  if (problem) return problem;
  work.program.push({ kind: 'match' });
  return work.program;
}

interface Work extends AutomatonOptions {
  readonly program: Instruction[];
  readonly groups: Map<number, PatternNode>;
}

/** @returns why the node can't be run, or undefined when it was added */
function emit(node: PatternNode, work: Work): string | undefined {
  const { program, maxStates } = work;
  if (program.length > maxStates) return `the pattern is too large (more than ${maxStates} states)`;
  switch (node.kind) {
    case 'set':
      program.push({ kind: 'byte', set: node.set });
      return undefined;
    case 'assert':
      program.push(node);
      return undefined;
    case 'irregular':
      return emitIrregular(node, work);
    case 'capture':
      work.groups.set(node.index, node.item);
      return emit(node.item, work);
    case 'sequence':
      for (const item of node.items) {
        const problem = emit(item, work);
        if (problem) return problem;
      }
      return undefined;
    case 'either':
      return emitEither(node.items, work);
    case 'repeat':
      return emitRepeat(node, work);
  }
}

function emitIrregular(
  { what, look, group }: Extract<PatternNode, { kind: 'irregular' }>,
  work: Work,
): string | undefined {
  if (!work.widen) return `a ${what} can't be matched in bounded time`;
  // The groups of a look are what a reference behind it may mean: so atomic groups are written.
  if (look) noteGroups(look.item, work);
  const referred = work.groups.get(group ?? 0);
  if (what === 'lookaround' || !referred)
    return what === 'lookaround' ? undefined : 'a reference to no group';
  return emit({ kind: 'repeat', item: referred, min: 0, max: 1 }, work);
}

function noteGroups(node: PatternNode, work: Work): void {
  if (node.kind === 'capture') work.groups.set(node.index, node.item);
  if (node.kind === 'capture' || node.kind === 'repeat') noteGroups(node.item, work);
  if (node.kind === 'sequence' || node.kind === 'either')
    for (const item of node.items) noteGroups(item, work);
  if (node.kind === 'irregular' && node.look) noteGroups(node.look.item, work);
}

function emitEither(items: readonly PatternNode[], work: Work): string | undefined {
  const { program } = work;
  const jumps: { kind: 'jump'; to: number }[] = [];
  for (const [index, item] of items.entries()) {
    const last = index === items.length - 1;
    const split = { kind: 'split' as const, first: program.length + 1, second: 0 };
    if (!last) program.push(split);
    const problem = emit(item, work);
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

function emitRepeat(
  { item, min, max }: Extract<PatternNode, { kind: 'repeat' }>,
  work: Work,
): string | undefined {
  const { program } = work;
  for (let count = 0; count < min; count += 1) {
    const before = program.length;
    const problem = emit(item, work);
    if (problem) return problem;
    // What says nothing once says nothing 99,999 times.
    if (program.length === before) return undefined;
  }
  if (max === Infinity) {
    const head = program.length;
    const split = { kind: 'split' as const, first: head + 1, second: 0 };
    program.push(split);
    const problem = emit(item, work);
    program.push({ kind: 'jump', to: head });
    split.second = program.length;
    return problem;
  }
  const splits: { kind: 'split'; first: number; second: number }[] = [];
  for (let count = min; count < max; count += 1) {
    const split = { kind: 'split' as const, first: program.length + 1, second: 0 };
    splits.push(split);
    program.push(split);
    const problem = emit(item, work);
    if (problem) return problem;
    if (program.length === split.first) break;
  }
  for (const split of splits) split.second = program.length;
  return undefined;
}
