import { builtInRules } from '../detectors/index.ts';
import { type Automaton, atOnce, automatonInSteps, type Steps } from '../gate/index.ts';
import { defaultLimits, type InspectionLimits, type Part, parts } from '../parse/index.ts';
import type { Detector, Rule, StructureCheck, Target } from '../rules/index.ts';
import {
  type InspectedCategory,
  type Mode,
  type SecurityLevel,
  type Sensitivity,
  sensitivities,
} from '../vocabulary.ts';
import { openingsOf } from './openings.ts';
import type { CategoryChoice, Exception, PolicyInput } from './policy.ts';
import { steps } from './unfold.ts';
import type { Opening, Unit } from './unit.ts';

/** What a policy holds of one category; its sensitivity is the one in force, after the site's level. */
interface Chosen {
  readonly mode: Mode;
  readonly threshold: number;
  readonly sensitivity: Sensitivity;
}

/** Tells by one scan of a text which units it needs. */
export interface Watch {
  readonly automaton: Automaton;
  /** automaton class → units that it opens, and what else that takes */
  readonly openings: readonly (readonly Opening[])[];
  /** units without a gate */
  readonly ungated: readonly Unit[];
}

/** A site's choices, ready to run. Opaque: make one with {@link compilePolicy}, give it to `inspect`. */
export interface Policy extends Watch {
  readonly limits: InspectionLimits;
  readonly chosen: ReadonlyMap<InspectedCategory, Chosen>;
  readonly customRules: readonly Rule[];
  readonly structureRules: readonly { readonly rule: Rule; readonly check: StructureCheck }[];
  readonly units: readonly Unit[];
  /** the same of the units alone that look at parts which few want, see {@link watchFor} */
  readonly few: Watch;
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

/** Remembers, within a bound, texts that no rule and no decoder had anything to say about. */
export interface HarmlessMemory {
  readonly knows: (name: string, text: string) => boolean;
  readonly learn: (name: string, text: string) => void;
}

const partBits = Object.fromEntries(parts.map((part, index) => [part, 1 << index])) as Record<Part, number>;

/** A bit for each part of a request. */
export function partBit(part: Part): number {
  return partBits[part];
}

/** Places in which rules treat a text alike; fewer than 64. */
export function placeOf(part: Part, isName: boolean): number {
  return (31 - Math.clz32(partBit(part))) * 2 + (isName ? 1 : 0);
}

/**
 * Parts that a tenth of the rules look at, and long ones: an automaton with no other words than theirs is a twelfth as large,
 * so that it stays near the processor, and seldom has something to report.
 */
const fewWanted = partBit('document') | partBit('file');

/** What tells which units a text of that part needs. */
export function watchFor(policy: Policy, part: Part): Watch {
  return (partBit(part) & fewWanted) === 0 ? policy : policy.few;
}

export const nameRole = 1;
export const valueRole = 2;

const threshold: Readonly<Record<Sensitivity, number>> = { low: 5, medium: 5, high: 3 };
const commonMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * Compiles a site's choices. Pure and total: the same input gives a policy that decides alike.
 * @param options.gated false runs every rule on every text and every decoder on every text, some hundred times
 *   slower and with the same verdicts: what the gates are proven against
 * @param options.remembers false inspects a header each time it comes: to measure what remembering spares
 */
export function compilePolicy(input: PolicyInput, options: CompileOptions = {}): Policy {
  return atOnce(policyInSteps(input, options));
}

interface CompileOptions {
  readonly gated?: boolean;
  readonly remembers?: boolean;
}

/**
 * {@link compilePolicy} step by step, for who serves requests meanwhile: of categories and sensitivities that no policy of
 * late had it takes a fifth of a second.
 */
export function* policyInSteps(input: PolicyInput, options: CompileOptions = {}): Steps<Policy> {
  const { gated = true, remembers = true } = options;
  const chosen = new Map<InspectedCategory, Chosen>();
  const rules: Rule[] = [];
  const key: string[] = [];
  for (const [category, choice] of choices(input)) {
    const sensitivity = scaled(choice.sensitivity, input.securityLevel);
    key.push(category, sensitivity);
    chosen.set(category, { mode: choice.mode, threshold: threshold[sensitivity], sensitivity });
    rules.push(...builtInRules.filter((rule) => rule.category === category && runsAt(rule, sensitivity)));
  }
  return {
    ...(yield* machineryOf(key.join(' '), rules, gated, remembers)),
    limits: { ...defaultLimits, ...input.limits },
    chosen,
    customRules: input.securityLevel === 'off' ? [] : (input.customRules ?? []),
    stepClasses: steps.map((_step, index) => index),
    exceptions: input.exceptions ?? [],
    trustedOrigins: (input.trustedOrigins ?? []).map((origin) => origin.toLowerCase()),
    allowedMethods: input.allowedMethods ?? commonMethods,
    gated,
  };
}

/** What of a policy its built-in rules alone determine. */
type Machinery = Watch & Pick<Policy, 'structureRules' | 'units' | 'few' | 'memory'>;

/**
 * The machinery of the newest few choices of categories and sensitivities, some megabytes each: hundreds of sites
 * that chose alike share one, whatever rules and exceptions of their own they have.
 */
const machineries = new Map<string, Machinery>();
const maxMachineries = 16;

function* machineryOf(
  choice: string,
  rules: readonly Rule[],
  gated: boolean,
  remembers: boolean,
): Steps<Machinery> {
  const key = `${gated} ${remembers} ${choice}`;
  const found = machineries.get(key) ?? (yield* buildMachinery(rules, gated, remembers));
  machineries.delete(key);
  machineries.set(key, found);
  const [oldest] = machineries.keys();
  if (machineries.size > maxMachineries && oldest !== undefined) machineries.delete(oldest);
  return found;
}

function* buildMachinery(rules: readonly Rule[], gated: boolean, remembers: boolean): Steps<Machinery> {
  const units = buildUnits(rules);
  const ofFew = units.filter((unit) => (unit.parts & fewWanted) !== 0);
  return {
    ...(yield* watchOf(gated ? units : [])),
    few: yield* watchOf(gated ? ofFew : []),
    structureRules: rules.flatMap((rule) =>
      rule.operator.kind === 'structure' ? [{ rule, check: rule.operator.check }] : [],
    ),
    units,
    memory: remembers ? createMemory() : noMemory,
  };
}

function* watchOf(units: readonly Unit[]): Steps<Watch> {
  const { classes, openings, ungated } = yield* openingsOf(units);
  return { automaton: yield* automatonInSteps(classes), openings, ungated };
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
export function scaled(sensitivity: Sensitivity, level: SecurityLevel): Sensitivity {
  if (level === 'low') return 'low';
  if (level === 'high' || level === 'under_attack') return 'high';
  return sensitivity;
}

/** Whether a rule runs where its category has this sensitivity. */
export function runsAt(rule: Rule, sensitivity: Sensitivity): boolean {
  return sensitivities.indexOf(rule.sensitivity) <= sensitivities.indexOf(sensitivity);
}

function buildUnits(rules: readonly Rule[]): readonly Unit[] {
  const units: Unit[] = [];
  const add = (ofUnit: readonly Rule[], detector?: Detector): void => {
    const targets = ofUnit.flatMap((rule) => rule.targets);
    units.push({
      index: units.length,
      parts: partsOf(targets),
      roles: rolesOf(targets),
      namedParts: partsOf(targets.filter(isNamed)),
      rules: ofUnit,
      ...(detector && { detector }),
    });
  };
  const byDetector = new Map<Detector, Rule[]>();
  for (const rule of rules) {
    const { operator } = rule;
    if (operator.kind === 'pattern') add([rule]);
    if (operator.kind !== 'detect') continue;
    const sharing = byDetector.get(operator.detector);
    if (sharing) sharing.push(rule);
    else byDetector.set(operator.detector, [rule]);
  }
  for (const [detector, sharing] of byDetector) add(sharing, detector);
  return units;
}

/** The parts that any of the targets names, as bits. */
export function partsOf(targets: readonly Target[]): number {
  return targets.reduce((bits, target) => bits | partBit(target.part), 0);
}

function isNamed({ name, not, path, notPath }: Target): boolean {
  return name !== undefined || not !== undefined || path !== undefined || notPath !== undefined;
}

function rolesOf(targets: readonly Target[]): number {
  return targets.reduce(
    (bits, { of }) => bits | (of === 'names' ? nameRole : of === 'values' ? valueRole : nameRole | valueRole),
    0,
  );
}

const noMemory: HarmlessMemory = { knows: () => false, learn: () => {} };

const generationSize = 1024;
const maxRememberedLength = 512;
/** They are looked through one by one. */
const maxNamesOfText = 8;

/**
 * Two generations: when the young one is full it becomes the old one, and what nobody asked for since is forgotten.
 * Text first, under which names it stood second: most stand under one.
 */
function createMemory(): HarmlessMemory {
  let young = new Map<string, string[]>();
  let old = new Map<string, string[]>();
  let count = 0;
  const learn = (name: string, text: string): void => {
    if (text.length > maxRememberedLength || name.length > 64) return;
    if (count >= generationSize) {
      old = young;
      young = new Map();
      count = 0;
    }
    const names = young.get(text);
    if (names && names.length >= maxNamesOfText) return;
    if (names) names.push(name);
    else young.set(text, [name]);
    count += 1;
  };
  const knows = (name: string, text: string): boolean => {
    if (young.get(text)?.includes(name)) return true;
    if (!old.get(text)?.includes(name)) return false;
    learn(name, text);
    return true;
  };
  return { knows, learn };
}
