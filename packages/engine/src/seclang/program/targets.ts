import { parseXmlPath } from '../body/index.ts';
import { compilePcre, type SafePattern } from '../regex/index.ts';
import type { Selector, TargetSyntax } from '../syntax/index.ts';
import { collectionNames, findVariable, isAbsent, type VariableReader } from '../variables/index.ts';

/** A rule's list of variables, ready to be read. */
export interface CompiledTargets {
  /** lists that are written alike share a number, and so their values */
  readonly number: number;
  readonly include: readonly TargetReader[];
  /** rules can change what it yields within a phase */
  readonly volatile: boolean;
  /** yields the same in every phase */
  readonly fixed: boolean;
  /** variables of the list that are never there */
  readonly absent: readonly string[];
  /** set where the list is one named entry of a collection (`TX:score`, `&TX:score`), as hundreds of rules have it */
  readonly entry?: CollectionEntryTarget;
}

export interface CollectionEntryTarget {
  readonly collection: string;
  readonly lower: string;
  readonly count: boolean;
  /** `TX:score`, `&TX:score` */
  readonly fullName: string;
}

export interface TargetReader {
  readonly variable: string;
  readonly reader: VariableReader;
  readonly count: boolean;
  readonly selector?: CompiledSelector;
  /** which of the variable's members the list leaves out */
  readonly exclude: readonly TargetMatcher[];
}

/** Members of a variable: all of them, or those that the selector names. */
export interface TargetMatcher {
  readonly variable: string;
  readonly selector?: CompiledSelector;
}

export type CompiledSelector =
  | { readonly kind: 'name'; readonly name: string; readonly lower: string }
  | { readonly kind: 'pattern'; readonly pattern: SafePattern };

/** Whether a selector means the member of that name; names are compared without regard to case. */
export function isSelected(selector: CompiledSelector | undefined, key: string): boolean {
  if (!selector) return true;
  if (selector.kind === 'pattern') return selector.pattern.test(key);
  return key.length === selector.lower.length && key.toLowerCase() === selector.lower;
}

/** Makes one target fit for leaving out; undefined where its pattern can't be translated. */
export function compileMatcher({ variable, selector }: TargetSyntax): TargetMatcher | undefined {
  if (!selector) return { variable };
  const compiled = compileSelector(selector);
  return compiled && { variable, selector: compiled };
}

function compileSelector(selector: Selector): CompiledSelector | undefined {
  if (selector.kind === 'name') {
    return { kind: 'name', name: selector.name, lower: selector.name.toLowerCase() };
  }
  const compiled = compilePcre(selector.source, true);
  return compiled.ok ? { kind: 'pattern', pattern: compiled.pattern } : undefined;
}

/** Compiles lists of variables, giving equal ones the same number. */
export interface TargetCompiler {
  readonly compile: (
    list: readonly TargetSyntax[],
  ) => { readonly targets: CompiledTargets } | { readonly problem: string };
  readonly count: () => number;
}

/** A compiler that has seen no list yet. */
export function createTargetCompiler(): TargetCompiler {
  const known = new Map<string, CompiledTargets>();
  return {
    count: () => known.size,
    compile: (list) => {
      const key = JSON.stringify(list);
      const seen = known.get(key);
      if (seen) return { targets: seen };
      const outcome = compileList(list, known.size);
      if ('targets' in outcome) known.set(key, outcome.targets);
      return outcome;
    },
  };
}

function compileList(list: readonly TargetSyntax[], number: number) {
  const include: TargetReader[] = [];
  const exclude: TargetMatcher[] = [];
  for (const target of list) {
    const reader = findVariable(target.variable);
    if (!reader) return { problem: `the variable ${target.variable} is not known` };
    if (
      target.variable === 'XML' &&
      target.selector &&
      !parseXmlPath(target.selector.kind === 'name' ? target.selector.name : '')
    ) {
      return { problem: 'the XPath of XML is not one that is understood here' };
    }
    const matcher = compileMatcher(target);
    if (!matcher) return { problem: `the selector of ${target.variable} can't be translated` };
    if (target.exclude) exclude.push(matcher);
    else include.push({ ...matcher, reader, count: target.count, exclude: [] });
  }
  const volatile = include.some(({ reader }) => reader.volatile === true);
  const entry = exclude.length === 0 ? soleEntry(include) : undefined;
  const fixed = include.every(({ reader }) => reader.fixed === true);
  const absent = include.map(({ variable }) => variable).filter(isAbsent);
  const readers = include.map((target) => ({
    ...target,
    exclude: exclude.filter((matcher) => matcher.variable === target.variable),
  }));
  const targets = { number, include: readers, volatile, fixed, absent };
  return { targets: entry ? { ...targets, entry } : targets };
}

function soleEntry(include: readonly TargetReader[]): CollectionEntryTarget | undefined {
  const [only] = include;
  if (include.length !== 1 || !only || only.selector?.kind !== 'name') return undefined;
  if (!collectionNames.some((name) => name === only.variable)) return undefined;
  const { variable, count, selector } = only;
  const fullName = `${count ? '&' : ''}${variable}:${selector.name}`;
  return { collection: variable, lower: selector.lower, count, fullName };
}
