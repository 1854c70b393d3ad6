import { isUnambiguousLoop } from './ambiguity.ts';
import type { PatternNode } from './ast.ts';
import { type Beside, edgeFlag } from './beside.ts';
import { edgeOf, edgeOfSequence } from './edges.ts';

/**
 * The length up to which a backtracking matcher searches any text for a pattern within so many steps, one of 0, 16,
 * 32, … 131,072. Counts the worst: every place a match may begin at, and from there every way through the
 * pattern, where they can't be told apart by the next byte.
 */
export function backtrackingReach(node: PatternNode, maxSteps: number): number {
  const loops = new Map<PatternNode, boolean>();
  let [good, bad] = [3, 18];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (stepsFor(node, { length: 2 ** middle, loops }) > maxSteps) bad = middle;
    else good = middle;
  }
  return good < 4 ? 0 : 2 ** good;
}

/** Steps that a search in a text of that length takes at most; infinite where they double with each byte. */
function stepsFor(node: PatternNode, costing: Costing): number {
  const { steps } = costOf(node, costing, theEnd);
  return steps * (isAnchored(node) ? 1 : costing.length + 1);
}

interface Costing {
  readonly length: number;
  readonly loops: Map<PatternNode, boolean>;
}

/** Of one place of the text. */
interface Cost {
  /** how often what follows is tried */
  readonly ways: number;
  readonly steps: number;
}

/** What stands behind a node. */
interface After {
  /** with what it can begin */
  readonly set: Beside | undefined;
  /** nothing: the whole pattern has matched, and nothing is tried again */
  readonly done: boolean;
}

const theEnd: After = { set: undefined, done: true };
const one: Cost = { ways: 1, steps: 1 };

function costOf(node: PatternNode, costing: Costing, after: After): Cost {
  switch (node.kind) {
    case 'set':
    case 'assert':
      return one;
    case 'irregular':
      if (!node.look) return { ways: 1, steps: costing.length };
      return { ways: 1, steps: 1 + costOf(node.look.item, costing, theEnd).steps };
    case 'capture':
      return costOf(node.item, costing, after);
    case 'sequence':
      return costOfSequence(node.items, costing, after);
    case 'either':
      return costOfEither(node.items, costing, after);
    case 'repeat':
      return costOfRepeat(node, costing, after);
  }
}

function costOfSequence(items: readonly PatternNode[], costing: Costing, after: After): Cost {
  let ways = 1;
  let steps = 0;
  for (const [index, item] of items.entries()) {
    const cost = costOf(item, costing, afterItem(items.slice(index + 1), after));
    steps += ways * cost.steps;
    ways *= cost.ways;
  }
  return { ways, steps };
}

function afterItem(rest: readonly PatternNode[], after: After): After {
  if (rest.length === 0) return after;
  if (after.done && rest.every(isAlwaysFulfilled)) return theEnd;
  const { set, nullable } = edgeOfSequence(rest, 'first');
  return { set: nullable || rest.some(isIrregular) ? undefined : set, done: false };
}

/** Can match nothing, wherever it stands. */
function isAlwaysFulfilled(node: PatternNode): boolean {
  return node.kind === 'repeat' && node.min === 0;
}

function isIrregular(node: PatternNode): boolean {
  return node.kind === 'irregular';
}

function costOfEither(items: readonly PatternNode[], costing: Costing, after: After): Cost {
  const costs = items.map((item) => costOf(item, costing, after));
  const steps = costs.reduce((sum, cost) => sum + cost.steps, 1);
  if (after.done) return { ways: 1, steps };
  const ways = costs.map((cost) => cost.ways);
  const edges = items.map((item) => edgeOf(item, 'first'));
  const apart = edges.every(
    ({ set, nullable }, index) =>
      !nullable && edges.every((other, at) => at <= index || !overlap(set, other.set)),
  );
  return { ways: apart ? Math.max(...ways) : ways.reduce((sum, way) => sum + way, 0), steps };
}

function costOfRepeat(node: Extract<PatternNode, { kind: 'repeat' }>, costing: Costing, after: After): Cost {
  const { item, min, max } = node;
  if (max === 0) return one;
  if (max === 1) {
    const cost = costOf(item, costing, after);
    const leaves = min === 0 && !after.done && !isTold(item, after);
    return { ways: cost.ways + (leaves ? 1 : 0), steps: cost.steps + 1 };
  }
  if (!isUnambiguous(item, costing)) return { ways: Infinity, steps: Infinity };
  const rounds = Math.min(max, costing.length);
  const steps = Math.min(costing.length, rounds * longest(item)) * (1 + sizeOf(item));
  return { ways: min === max || after.done || isTold(item, after) ? 1 : rounds + 1, steps };
}

function isUnambiguous(item: PatternNode, { loops }: Costing): boolean {
  const known = loops.get(item) ?? isUnambiguousLoop(item);
  loops.set(item, known);
  return known;
}

/** Whether the next byte alone tells that a loop has to be left. */
function isTold(item: PatternNode, { set }: After): boolean {
  if (!set) return false;
  const bytes = new Uint8Array(edgeFlag + 1);
  return addBytes(item, bytes) && !overlap(bytes, set);
}

/** Adds every byte that a match may hold; false where that can't be told. */
function addBytes(node: PatternNode, into: Uint8Array): boolean {
  switch (node.kind) {
    case 'set':
      for (let byte = 0; byte < 256; byte += 1) if (node.set[byte] === 1) into[byte] = 1;
      return true;
    case 'assert':
      return true;
    case 'irregular':
      return node.what === 'lookaround';
    case 'capture':
    case 'repeat':
      return addBytes(node.item, into);
    case 'sequence':
    case 'either':
      return node.items.every((item) => addBytes(item, into));
  }
}

function overlap(left: Uint8Array, right: Uint8Array): boolean {
  for (let at = 0; at <= edgeFlag; at += 1) if (left[at] === 1 && right[at] === 1) return true;
  return false;
}

/** How long a match may be. */
function longest(node: PatternNode): number {
  switch (node.kind) {
    case 'set':
      return 1;
    case 'assert':
      return 0;
    case 'irregular':
      return node.look ? 0 : Infinity;
    case 'capture':
      return longest(node.item);
    case 'repeat':
      return node.max === 0 ? 0 : node.max * longest(node.item);
    case 'sequence':
      return node.items.reduce((sum, item) => sum + longest(item), 0);
    case 'either':
      return Math.max(...node.items.map(longest));
  }
}

function sizeOf(node: PatternNode): number {
  switch (node.kind) {
    case 'set':
    case 'assert':
    case 'irregular':
      return 1;
    case 'capture':
      return sizeOf(node.item);
    case 'repeat':
      return 1 + sizeOf(node.item);
    case 'sequence':
    case 'either':
      return node.items.reduce((sum, item) => sum + sizeOf(item), 1);
  }
}

/** What stands before the `^` is run at every place of a text, so that only a pattern that begins with it counts. */
function isAnchored(node: PatternNode): boolean {
  switch (node.kind) {
    case 'assert':
      return node.assertion === 'start';
    case 'capture':
      return isAnchored(node.item);
    case 'sequence':
      return node.items[0] !== undefined && isAnchored(node.items[0]);
    case 'either':
      return node.items.every(isAnchored);
    default:
      return false;
  }
}
