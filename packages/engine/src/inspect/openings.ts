import { type GateLiteral, lengthened, type Steps, significant } from '../gate/index.ts';
import { type Clause, costOf, type Literal, likelihood, requirementsOf } from '../pattern/index.ts';
import type { Gate, Rule } from '../rules/index.ts';
import { steps } from './unfold.ts';
import type { Opening, Unit } from './unit.ts';
import { gzipHead } from './wrapped-texts.ts';

/** What the automaton looks for on behalf of decoders and units. */
export interface Openings {
  /** the first ones are the decoding steps' triggers, by step; then one for {@link gzipClass} */
  readonly classes: readonly (readonly GateLiteral[])[];
  /** by class */
  readonly openings: readonly (readonly Opening[])[];
  /** units that no text can be spared */
  readonly ungated: readonly Unit[];
}

/** The class of what compressed texts begin with. */
export const gzipClass = steps.length;

/** What is compared at more places than this is looked for only where nothing else tells. */
const dear = 0.002;
const maxClauses = 3;
/** What so few places fulfil tells enough; a clause more would be reported more often than it spares a run. */
const rare = 0.0005;
/** What is compared as seldom as this is looked for besides: it keeps slow patterns from texts made to be slow. */
const free = 0.0001;

/** Gives every unit its ways in. */
export function* openingsOf(units: readonly Unit[]): Steps<Openings> {
  const classes: (readonly GateLiteral[])[] = [...steps.map((step) => step.triggers), [gzipHead]];
  const openings: Opening[][] = classes.map(() => []);
  const ungated: Unit[] = [];
  const ids = new Map<string, number>();
  const classOf = (clause: Clause): number => {
    const bare = clause.every(({ before, after }) => !before && !after);
    const key = bare ? clause.map(({ text }) => text).join('\0') : '';
    const known = (bare ? ids.get(key) : undefined) ?? classes.push(clause) - 1;
    if (bare) ids.set(key, known);
    openings[known] ??= [];
    return known;
  };
  for (const unit of units) {
    const alternatives = alternativesOf(unit);
    if (alternatives.length === 0) ungated.push(unit);
    for (const clauses of alternatives) {
      const [first = 0, ...others] = clauses.map(classOf);
      openings[first]?.push({ unit, others });
    }
    yield;
  }
  return { classes, openings, ungated };
}

/**
 * What a text must hold for a rule to match: the clauses of one of the alternatives, the least likely first. Its
 * own gate and what its pattern can't do without; none: it always runs.
 */
export function requirementsOfRule(rule: Rule): readonly (readonly Clause[])[] {
  const { operator, gate } = rule;
  if (operator.kind === 'detect') return withGate([], operator.detector.gate);
  const ofPattern = operator.kind === 'pattern' ? requirementsOf(operator.pattern) : [];
  return gate ? withGate(ofPattern, gate) : ofPattern;
}

function alternativesOf({ rules }: Unit): readonly (readonly Clause[])[] {
  const [rule] = rules;
  return rule ? merged(requirementsOfRule(rule)) : [];
}

function withGate(known: readonly (readonly Clause[])[], gate: Gate): readonly (readonly Clause[])[] {
  const own = gate.allOf.map((literals) => literals.map((text) => ({ text })));
  const required = known.length > 0 || !gate.pattern ? known : requirementsOf(gate.pattern);
  return (required.length === 0 ? [[]] : required)
    .map((clauses) => [...clauses, ...own].sort((left, right) => likelihood(left) - likelihood(right)))
    .filter((clauses) => clauses.length > 0);
}

/** Alternatives of a single clause are one clause together. */
function merged(alternatives: readonly (readonly Clause[])[]): readonly (readonly Clause[])[] {
  const few = alternatives.map(strongest);
  const single = few.flatMap((clauses) => (clauses.length === 1 ? (clauses[0] ?? []) : []));
  const several = few.filter(({ length }) => length > 1);
  return single.length > 0 ? [[single], ...several] : several;
}

/** Prose holds every word, however rare its letters are. */
function isWord({ text }: Literal): boolean {
  return /^[a-z]+$/.test(text);
}

/** As few as tell enough: a common one alone lets a word of prose open what a second would keep shut. */
function strongest(clauses: readonly Clause[]): readonly Clause[] {
  const price = (clause: Clause) => costOf(clause.flatMap(lengthened), significant);
  const cheap = clauses.filter((clause) => price(clause) < dear);
  const found = (cheap.length > 0 ? cheap : clauses).slice(0, maxClauses);
  const enough = found.findIndex((clause) => likelihood(clause) < rare && !clause.some(isWord));
  return enough < 0 ? found : found.filter((clause, index) => index <= enough || price(clause) < free);
}
