import { builtInRules } from '../detectors/index.ts';
import { type Automaton, buildAutomaton } from '../gate/index.ts';
import { defaultLimits, type InspectionLimits, type Part, parts } from '../parse/index.ts';
import { requiredLiterals } from '../pattern/index.ts';
import type { Detector, Gate, Rule, StructureCheck, Target } from '../rules/index.ts';
import {
  type InspectedCategory,
  type Mode,
  type SecurityLevel,
  type Sensitivity,
  sensitivities,
} from '../vocabulary.ts';
import type { CategoryChoice, Exception, PolicyInput } from './policy.ts';
import { steps } from './unfold.ts';

/** A site's choices, ready to run. Opaque: make one with {@link compilePolicy}, give it to `inspect`. */
export interface Policy {
  readonly limits: InspectionLimits;
  readonly chosen: ReadonlyMap<InspectedCategory, { readonly mode: Mode; readonly threshold: number }>;
  readonly customRules: readonly Rule[];
  readonly structureRules: readonly { readonly rule: Rule; readonly check: StructureCheck }[];
  readonly units: readonly Unit[];
  readonly automaton: Automaton;
  /** automaton class → units that it is the first clause of */
  readonly unitsOfClass: readonly (readonly Unit[])[];
  /** units without a gate */
  readonly ungated: readonly Unit[];
  /** automaton class of each decoding step's triggers */
  readonly stepClasses: readonly number[];
  readonly exceptions: readonly Exception[];
  readonly trustedOrigins: readonly string[];
  readonly allowedMethods: readonly string[];
  /** false only for the naive run that gates are proven against */
  readonly gated: boolean;
  /** values of headers found harmless; bounded */
  readonly memory: HarmlessMemory;
}

/** What runs on one text: a rule's pattern, or a detector that several rules share. */
export interface Unit {
  readonly index: number;
  /** bits of {@link partBit} and {@link roleBits} */
  readonly parts: number;
  readonly roles: number;
  /** automaton classes that must be hit beside the first */
  readonly others: readonly number[];
  readonly detector?: Detector;
  /** the rules, by finding for a detector */
  readonly rules: readonly Rule[];
}

/** Remembers, within a bound, texts that no rule and no decoder had anything to say about. */
export interface HarmlessMemory {
  readonly knows: (name: string, text: string) => boolean;
  readonly learn: (name: string, text: string) => void;
}

const partIndex = new Map<Part, number>(parts.map((part, index) => [part, index]));

/** A bit for each part of a request. */
export function partBit(part: Part): number {
  return 1 << (partIndex.get(part) ?? 31);
}

export const nameRole = 1;
export const valueRole = 2;

const threshold: Readonly<Record<Sensitivity, number>> = { low: 5, medium: 5, high: 3 };
const commonMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * Compiles a site's choices. Pure and total: the same input gives a policy that decides alike.
 * @param options.gated false runs every rule on every text and every decoder on every text, some hundred times
 *   slower and with the same verdicts: what the gates are proven against
 */
export function compilePolicy(input: PolicyInput, options: { readonly gated?: boolean } = {}): Policy {
  const gated = options.gated ?? true;
  const chosen = new Map<InspectedCategory, { mode: Mode; threshold: number }>();
  const rules: Rule[] = [];
  for (const [category, choice] of choices(input)) {
    const sensitivity = scaled(choice.sensitivity, input.securityLevel);
    chosen.set(category, { mode: choice.mode, threshold: threshold[sensitivity] });
    rules.push(...builtInRules.filter((rule) => rule.category === category && runsAt(rule, sensitivity)));
  }
  const classes: (readonly string[])[] = steps.map((step) => step.triggers);
  const classIds = new Map<string, number>();
  const classOf = (literals: readonly string[]): number => {
    const key = JSON.stringify(literals);
    const known = classIds.get(key);
    if (known !== undefined) return known;
    classIds.set(key, classes.length);
    classes.push(literals);
    return classes.length - 1;
  };
  const { units, firstClasses } = buildUnits(rules, classOf, gated);
  const unitsOfClass: Unit[][] = classes.map(() => []);
  const ungated: Unit[] = [];
  for (const unit of units) {
    const first = firstClasses.get(unit.index);
    if (first === undefined) ungated.push(unit);
    else unitsOfClass[first]?.push(unit);
  }
  return {
    limits: { ...defaultLimits, ...input.limits },
    chosen,
    customRules: input.securityLevel === 'off' ? [] : (input.customRules ?? []),
    structureRules: rules.flatMap((rule) =>
      rule.operator.kind === 'structure' ? [{ rule, check: rule.operator.check }] : [],
    ),
    units,
    automaton: buildAutomaton(classes),
    unitsOfClass,
    ungated,
    stepClasses: steps.map((_step, index) => index),
    exceptions: input.exceptions ?? [],
    trustedOrigins: (input.trustedOrigins ?? []).map((origin) => origin.toLowerCase()),
    allowedMethods: input.allowedMethods ?? commonMethods,
    gated,
    memory: createMemory(),
  };
}

/** Whether a policy looks into bodies at all; without, the gateway need not hold any of it back. */
export function inspectionNeedsBody(policy: Policy): boolean {
  return policy.units.length > 0 || policy.structureRules.length > 0 || policy.customRules.length > 0;
}

function choices(input: PolicyInput): [InspectedCategory, CategoryChoice][] {
  if (input.securityLevel === 'off') return [];
  const entries = Object.entries(input.categories) as [InspectedCategory, CategoryChoice | undefined][];
  return entries.flatMap(([category, choice]) => (choice?.enabled ? [[category, choice]] : []));
}

/** The site's level caps or raises what each category chose: low caps at low, high raises to high. */
function scaled(sensitivity: Sensitivity, level: SecurityLevel): Sensitivity {
  if (level === 'low') return 'low';
  if (level === 'high' || level === 'under_attack') return 'high';
  return sensitivity;
}

function runsAt(rule: Rule, sensitivity: Sensitivity): boolean {
  return sensitivities.indexOf(rule.sensitivity) <= sensitivities.indexOf(sensitivity);
}

/** The clauses that decide whether a rule can match: its own, else what its pattern can't do without. */
export function clausesOf(rule: Rule): Gate['allOf'] {
  if (rule.gate) return rule.gate.allOf;
  return rule.operator.kind === 'pattern' ? requiredLiterals(rule.operator.pattern) : [];
}

function buildUnits(
  rules: readonly Rule[],
  classOf: (literals: readonly string[]) => number,
  gated: boolean,
) {
  const units: Unit[] = [];
  const firstClasses = new Map<number, number>();
  const add = (ofUnit: readonly Rule[], clauses: Gate['allOf'], detector?: Detector): void => {
    const [first, ...others] = gated ? clauses.slice(0, 3).map(classOf) : [];
    const index = units.length;
    if (first !== undefined) firstClasses.set(index, first);
    const targets = ofUnit.flatMap((rule) => rule.targets);
    units.push({
      index,
      parts: partsOf(targets),
      roles: rolesOf(targets),
      others,
      rules: ofUnit,
      ...(detector && { detector }),
    });
  };
  const byDetector = new Map<Detector, Rule[]>();
  for (const rule of rules) {
    const { operator } = rule;
    if (operator.kind === 'pattern') add([rule], clausesOf(rule));
    if (operator.kind !== 'detect') continue;
    const sharing = byDetector.get(operator.detector);
    if (sharing) sharing.push(rule);
    else byDetector.set(operator.detector, [rule]);
  }
  for (const [detector, sharing] of byDetector) add(sharing, detector.gate.allOf, detector);
  return { units, firstClasses };
}

/** The parts that any of the targets names, as bits. */
export function partsOf(targets: readonly Target[]): number {
  return targets.reduce((bits, target) => bits | partBit(target.part), 0);
}

function rolesOf(targets: readonly Target[]): number {
  return targets.reduce(
    (bits, { of }) => bits | (of === 'names' ? nameRole : of === 'values' ? valueRole : nameRole | valueRole),
    0,
  );
}

const generationSize = 1024;
const maxRememberedLength = 512;

/** Two generations: when the young one is full it becomes the old one, and what nobody asked for since is forgotten. */
function createMemory(): HarmlessMemory {
  let young = new Map<string, Set<string>>();
  let old = new Map<string, Set<string>>();
  let count = 0;
  const learn = (name: string, text: string): void => {
    if (text.length > maxRememberedLength || name.length > 64) return;
    if (count >= generationSize) {
      old = young;
      young = new Map();
      count = 0;
    }
    const texts = young.get(name);
    if (texts) texts.add(text);
    else young.set(name, new Set([text]));
    count += 1;
  };
  const knows = (name: string, text: string): boolean => {
    if (young.get(name)?.has(text)) return true;
    if (!old.get(name)?.has(text)) return false;
    learn(name, text);
    return true;
  };
  return { knows, learn };
}
