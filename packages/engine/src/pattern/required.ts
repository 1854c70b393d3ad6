import type { ByteSet, PatternNode } from './ast.ts';
import { parsePattern } from './parse.ts';

/**
 * What any match must hold: of each clause, at least one literal. Literals are lower case, and to be sought
 * without regard to ASCII case. An empty list promises nothing.
 */
export type RequiredLiterals = readonly (readonly string[])[];

const maxAlternatives = 48;
const maxLiteral = 8;
const maxSetSize = 3;

/**
 * The literals that every match of a pattern holds. Conservative: what can't be told is left out, so a text
 * that lacks a clause can't match. The strongest clause comes first.
 */
export function requiredLiterals(pattern: RegExp): RequiredLiterals {
  if (pattern.unicode || pattern.unicodeSets) return [];
  const parsed = parsePattern(pattern.source, {
    ignoreCase: pattern.ignoreCase,
    dotAll: pattern.dotAll,
    multiline: pattern.multiline,
  });
  return parsed.ok ? requiredOf(parsed.node) : [];
}

/** As {@link requiredLiterals}, of a tree. */
export function requiredOf(node: PatternNode): RequiredLiterals {
  const known = analyse(node);
  const clauses = known.exact ? [...known.clauses, known.exact] : known.clauses;
  return clauses
    .filter((clause) => strength(clause) > 0)
    .map(minimal)
    .sort((left, right) => strength(right) - strength(left))
    .slice(0, 4);
}

/** `exact`: the whole set of (lower-cased) texts that the node matches, where it is small. */
interface Known {
  readonly exact: readonly string[] | undefined;
  readonly clauses: readonly (readonly string[])[];
}

const nothing: Known = { exact: undefined, clauses: [] };
const empty: Known = { exact: [''], clauses: [] };

function analyse(node: PatternNode): Known {
  switch (node.kind) {
    case 'set':
      return { exact: members(node.set), clauses: [] };
    case 'assert':
      return empty;
    case 'irregular':
      return node.what === 'lookaround' ? empty : nothing;
    case 'sequence':
      return analyseSequence(node.items);
    case 'either':
      return analyseEither(node.items);
    case 'repeat': {
      if (node.max === 0) return empty;
      const inner = analyse(node.item);
      if (node.min === 1 && node.max === 1) return inner;
      if (node.min > 0) return { exact: undefined, clauses: flushed(inner) };
      return node.max === 1 && inner.exact && inner.clauses.length === 0
        ? { exact: [...new Set(['', ...inner.exact])], clauses: [] }
        : nothing;
    }
  }
}

function flushed(known: Known): readonly (readonly string[])[] {
  return known.exact ? [...known.clauses, known.exact] : known.clauses;
}

function analyseSequence(items: readonly PatternNode[]): Known {
  const clauses: (readonly string[])[] = [];
  let run: readonly string[] = [''];
  let whole = true;
  for (const item of items) {
    const known = analyse(item);
    clauses.push(...known.clauses);
    if (known.clauses.length > 0) whole = false;
    const joined = known.exact ? product(run, known.exact) : undefined;
    if (joined) {
      run = joined;
      continue;
    }
    whole = false;
    clauses.push(run);
    run = known.exact ?? [''];
  }
  return whole ? { exact: run, clauses: [] } : { exact: undefined, clauses: [...clauses, run] };
}

function product(left: readonly string[], right: readonly string[]): readonly string[] | undefined {
  if (left.length * right.length > maxAlternatives) return undefined;
  if (left.length > 1 && left.some((text) => text.length > maxLiteral)) return undefined;
  return [...new Set(left.flatMap((head) => right.map((tail) => head + tail)))];
}

function analyseEither(items: readonly PatternNode[]): Known {
  const known = items.map(analyse);
  const exact = new Set<string>();
  let whole = true;
  for (const one of known) {
    if (!one.exact || one.clauses.length > 0) whole = false;
    for (const text of one.exact ?? []) exact.add(text);
  }
  if (whole && exact.size <= maxAlternatives) return { exact: [...exact], clauses: [] };
  const united: string[] = [];
  for (const one of known) {
    const best = [...flushed(one)].sort((left, right) => strength(right) - strength(left))[0];
    if (!best || strength(best) <= 0) return nothing;
    united.push(...best);
  }
  return { exact: undefined, clauses: [[...new Set(united)]] };
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

/** Longer and fewer is stronger; a clause with an empty literal is worth nothing. */
function strength(clause: readonly string[]): number {
  if (clause.length === 0) return 0;
  const shortest = Math.min(...clause.map((text) => Math.min(text.length, 6)));
  return shortest === 0 ? 0 : shortest * 10 - Math.min(clause.length, 9);
}

/** Without literals that hold another one of the clause: finding the shorter is enough. */
function minimal(clause: readonly string[]): readonly string[] {
  return clause.filter((text) => !clause.some((other) => other !== text && text.includes(other)));
}
