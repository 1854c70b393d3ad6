import { type ByteSet, complement, type PatternNode, wordBytes } from './ast.ts';
import { type Beside, beside, intersection, union } from './beside.ts';
import { type Direction, edgeOfSequence } from './edges.ts';
import { type Clause, type Literal, likelihood } from './literal.ts';
import { parsePattern } from './parse.ts';

/**
 * What any match must hold: all clauses of at least one of the alternatives, the least likely clause first. None
 * at all promises nothing.
 */
export type Requirements = readonly (readonly Clause[])[];

const maxExact = 48;
const maxLength = 16;
const maxSetSize = 3;
const maxCopies = 3;

/**
 * The literals that every match of a pattern holds, each with what must stand beside it. Conservative: what
 * can't be told is left out, so a text that fulfils no alternative can't match.
 */
export function requirementsOf(pattern: RegExp): Requirements {
  const known = cache.get(pattern);
  if (known) return known;
  const found = readRequirements(pattern);
  cache.set(pattern, found);
  return found;
}

/** Built-in patterns are asked about for every choice of categories and sensitivities. */
const cache = new WeakMap<RegExp, Requirements>();

function readRequirements(pattern: RegExp): Requirements {
  if (pattern.unicode || pattern.unicodeSets) return [];
  const parsed = parsePattern(pattern.source, {
    ignoreCase: pattern.ignoreCase,
    dotAll: pattern.dotAll,
    multiline: pattern.multiline,
  });
  if (!parsed.ok) return [];
  const alternatives = alternativesOf(parsed.node).map((node) => {
    const known = analyse(node, anywhere);
    const items = node.kind === 'sequence' ? node.items : [node];
    const whole = known.exact ? flushedRun(known.exact, items, 0, items.length, anywhere) : [];
    return [...known.clauses, ...whole]
      .filter((clause) => likelihood(clause) < 1)
      .map(minimal)
      .sort((left, right) => likelihood(left) - likelihood(right))
      .slice(0, 4);
  });
  return alternatives.some((clauses) => clauses.length === 0) ? [] : alternatives;
}

/** As {@link requirementsOf}, as one list of clauses of bare literals: less is promised. */
export function requiredLiterals(pattern: RegExp): readonly (readonly string[])[] {
  const [first, ...others] = requirementsOf(pattern);
  if (!first) return [];
  const texts = (clause: Clause) => bareMinimal([...new Set(clause.map(({ text }) => text))]);
  if (others.length === 0) return first.map(texts);
  return [texts([first, ...others].flatMap((clauses) => clauses[0] ?? []))];
}

function alternativesOf(node: PatternNode): readonly PatternNode[] {
  if (node.kind === 'either') return node.items.flatMap(alternativesOf);
  if (node.kind === 'sequence' && node.items.length === 1 && node.items[0])
    return alternativesOf(node.items[0]);
  return [node];
}

/** What may stand on one side of a node; no set: anything. */
interface Side {
  readonly set?: Beside;
  /** whether it lies behind `\b` */
  readonly wordEdge: boolean;
}

/** Asked for only where a clause ends up there. */
interface Surroundings {
  readonly before: () => Side;
  readonly after: () => Side;
}

const unknown: Side = { wordEdge: false };
const anywhere: Surroundings = { before: () => unknown, after: () => unknown };

/** `exact`: the whole set of (lower-cased) texts that the node matches, where it is small. */
interface Known {
  readonly exact: readonly string[] | undefined;
  readonly clauses: readonly Clause[];
}

const nothing: Known = { exact: undefined, clauses: [] };
const empty: Known = { exact: [''], clauses: [] };

function analyse(node: PatternNode, around: Surroundings): Known {
  switch (node.kind) {
    case 'set':
      return { exact: members(node.set), clauses: [] };
    case 'assert':
      return empty;
    case 'irregular':
      return node.what === 'lookaround' ? empty : nothing;
    case 'capture':
      return analyse(node.item, around);
    case 'sequence':
      return analyseSequence(node.items.flatMap(unrolled), around);
    case 'either':
      return analyseEither(node.items, around);
    case 'repeat': {
      if (node.max === 0) return empty;
      if (node.min > 0) return analyseSequence(unrolled(node), around);
      const inner = node.max === 1 ? analyse(node.item, anywhere) : nothing;
      return inner.exact && inner.clauses.length === 0
        ? { exact: [...new Set(['', ...inner.exact])], clauses: [] }
        : nothing;
    }
  }
}

/** `a{2,5}` is `aa` and then some. */
function unrolled(node: PatternNode): readonly PatternNode[] {
  if (node.kind !== 'repeat' || node.min === 0) return [node];
  const copies = Array.from({ length: Math.min(node.min, maxCopies) }, () => node.item);
  return node.max === copies.length ? copies : [...copies, { ...node, min: 0, max: Infinity }];
}

function analyseSequence(items: readonly PatternNode[], around: Surroundings): Known {
  const clauses: Clause[] = [];
  let run: readonly string[] = [''];
  let start = 0;
  let whole = true;
  const flush = (end: number): void => {
    clauses.push(...flushedRun(run, items, start, end, around));
  };
  for (const [index, item] of items.entries()) {
    const known = analyse(item, {
      before: () => sideOf(items.slice(0, index), 'last', around.before),
      after: () => sideOf(items.slice(index + 1), 'first', around.after),
    });
    clauses.push(...known.clauses);
    const joined = known.exact && known.clauses.length === 0 ? product(run, known.exact) : undefined;
    if (joined) {
      run = joined;
      continue;
    }
    whole = false;
    flush(index);
    run = known.exact ?? [''];
    start = known.exact ? index : index + 1;
  }
  if (whole) return { exact: run, clauses: [] };
  flush(items.length);
  return { exact: undefined, clauses };
}

/** Items `start` to `end` of a sequence as a clause. Assertions at either end say what stands beside the rest. */
function flushedRun(
  run: readonly string[],
  items: readonly PatternNode[],
  start: number,
  end: number,
  around: Surroundings,
): readonly Clause[] {
  let from = start;
  let to = end;
  while (from < to && items[from]?.kind === 'assert') from += 1;
  while (to > from && items[to - 1]?.kind === 'assert') to -= 1;
  return flushed(run, {
    before: () => sideOf(items.slice(0, from), 'last', around.before),
    after: () => sideOf(items.slice(to), 'first', around.after),
  });
}

function flushed(exact: readonly string[] | undefined, around: Surroundings): readonly Clause[] {
  if (!exact || exact.includes('')) return [];
  const before = sideSets(around.before());
  const after = sideSets(around.after());
  const literal = (text: string): Literal => {
    const left = before[wordBytes[text.charCodeAt(0)] ?? 0];
    const right = after[wordBytes[text.charCodeAt(text.length - 1)] ?? 0];
    return { text, ...(left && { before: left }), ...(right && { after: right }) };
  };
  return [exact.map(literal)];
}

const wordBeside = beside(wordBytes, { edge: false });
const noWordBeside = beside(complement(wordBytes), { edge: true });

/** What may stand beside a literal that ends in no word byte, and beside one that does. */
function sideSets({ set, wordEdge }: Side): readonly [Beside | undefined, Beside | undefined] {
  if (!wordEdge) return [set, set];
  if (!set) return [wordBeside, noWordBeside];
  return [intersection(set, wordBeside), intersection(set, noWordBeside)];
}

/** What stands beside a place: the items that way, and beyond them what surrounds the sequence. */
function sideOf(items: readonly PatternNode[], direction: Direction, outerSide: () => Side): Side {
  const ordered = direction === 'first' ? items : [...items].reverse();
  let wordEdge = false;
  let passed = 0;
  for (const item of ordered) {
    if (item.kind !== 'assert' || (item.assertion !== 'word edge' && item.assertion !== 'no word edge'))
      break;
    if (item.assertion === 'word edge') wordEdge = true;
    passed += 1;
  }
  const { set, nullable } = edgeOfSequence(items, direction);
  if (!nullable) return { set, wordEdge };
  const nothingBetween = passed === items.length;
  const outer = outerSide();
  if (outer.set)
    return { set: union(set, outer.set), wordEdge: wordEdge || (nothingBetween && outer.wordEdge) };
  return { wordEdge: wordEdge || (nothingBetween && outer.wordEdge) };
}

function product(left: readonly string[], right: readonly string[]): readonly string[] | undefined {
  if (left.length * right.length > maxExact) return undefined;
  if (left.length > 1 && left.some((text) => text.length > maxLength)) return undefined;
  return [...new Set(left.flatMap((head) => right.map((tail) => head + tail)))];
}

function analyseEither(items: readonly PatternNode[], around: Surroundings): Known {
  const known = items.map((item) => analyse(item, around));
  const exact = new Set<string>();
  let whole = true;
  for (const one of known) {
    if (!one.exact || one.clauses.length > 0) whole = false;
    for (const text of one.exact ?? []) exact.add(text);
  }
  if (whole && exact.size <= maxExact) return { exact: [...exact], clauses: [] };
  const united: Literal[] = [];
  for (const one of known) {
    const [best] = [...one.clauses, ...flushed(one.exact, around)].sort(
      (left, right) => likelihood(left) - likelihood(right),
    );
    if (!best || likelihood(best) >= 1) return nothing;
    united.push(...best);
  }
  return { exact: undefined, clauses: [united] };
}

function members(set: ByteSet): readonly string[] | undefined {
  const found = new Set<string>();
  for (let byte = 0; byte < 256; byte += 1) {
    if (set[byte] !== 1) continue;
    // The gate folds ASCII only, so a folded letter beyond it counts twice, which is right.
    found.add(byte >= 65 && byte <= 90 ? String.fromCharCode(byte + 32) : String.fromCharCode(byte));
    if (found.size > maxSetSize) return undefined;
  }
  return [...found];
}

/** Without literals that hold another of the clause that may stand anywhere: finding that one is enough. */
function minimal(clause: Clause): Clause {
  const free = clause.filter(({ before, after }) => !before && !after);
  return clause.filter(({ text }) => !free.some((other) => other.text !== text && text.includes(other.text)));
}

function bareMinimal(texts: readonly string[]): readonly string[] {
  return texts.filter((text) => !texts.some((other) => other !== text && text.includes(other)));
}
