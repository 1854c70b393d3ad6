import { expand } from '../macros/index.ts';
import { buildOperator, type Operator } from '../operators/index.ts';
import {
  buildGate,
  type CompiledActions,
  compileActions,
  createTargetCompiler,
  type Program,
  type RuleGate,
  requiredBy,
  type SecRule,
  type TargetCompiler,
} from '../program/index.ts';
import { type CurrentRule, chainOf, type Phase } from '../state/index.ts';
import type { SeclangIssue } from '../syntax/index.ts';
import type { Configuration, RawRule } from './configuration.ts';
import { type RuleFiles, readDataFile } from './files.ts';

/** Compiles all rules of a configuration, adding to its issues what can't be. */
export function compileProgram(
  configuration: Configuration,
  files: RuleFiles,
): { program: Program; gate: RuleGate } {
  const work: Work = {
    configuration,
    files,
    targets: createTargetCompiler(),
    rules: [],
    required: [],
    groups: new Map(),
  };
  const phases = placeInPhases(work);
  for (const rule of work.rules) addOpenGate(rule, work);
  return {
    program: {
      phases,
      rules: work.rules,
      mode: configuration.mode,
      readsBody: configuration.readsBody,
      readsResponseBody: configuration.readsResponseBody,
      collectionTimeout: configuration.collectionTimeout,
    },
    gate: buildGate(work.required),
  };
}

interface Work {
  readonly configuration: Configuration;
  readonly files: RuleFiles;
  readonly targets: TargetCompiler;
  readonly rules: Writable<SecRule>[];
  readonly required: (readonly (readonly string[])[])[];
  readonly groups: Map<string, number>;
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

interface Placed {
  readonly head: Writable<SecRule>;
  readonly actions: CompiledActions;
}

function placeInPhases(work: Work): SecRule[][] {
  const placed: Placed[][] = [[], [], [], [], [], []];
  const markers: Map<string, number[]>[] = placed.map(() => new Map());
  for (const item of work.configuration.items) {
    if ('marker' in item) {
      for (const [phase, list] of placed.entries()) addPlace(markers[phase], item.marker, list.length);
      continue;
    }
    const compiled = compileChain(item.rule, work);
    if (!compiled) continue;
    placed[compiled.head.phase]?.push(compiled);
  }
  for (const [phase, list] of placed.entries()) {
    for (const [index, { head, actions }] of list.entries()) {
      const to = jumpFrom(index, actions, list, markers[phase]);
      if (to !== undefined) head.jump = to;
    }
  }
  return placed.map((list) => list.map(({ head }) => head));
}

function addPlace(markers: Map<string, number[]> | undefined, name: string, index: number): void {
  const places = markers?.get(name);
  if (places) places.push(index);
  else markers?.set(name, [index]);
}

/** A rule may skip to a marker or to just after another rule; where neither is left, the phase ends. */
function jumpFrom(
  index: number,
  { skip, skipAfter }: CompiledActions,
  list: readonly Placed[],
  markers: ReadonlyMap<string, number[]> | undefined,
): number | undefined {
  if (skip > 0) return index + 1 + skip;
  if (skipAfter === undefined) return undefined;
  const place = markers?.get(skipAfter)?.find((one) => one > index);
  if (place !== undefined) return place;
  const rule = list.findIndex(({ head }, at) => at > index && String(head.id) === skipAfter);
  return rule < 0 ? list.length : rule + 1;
}

/** Compiles a chain from its last link to its head; undefined when a link can't be. */
function compileChain(raw: RawRule, work: Work): Placed | undefined {
  const links: RawRule[] = [];
  for (let link: RawRule | undefined = raw; link; link = link.next) links.push(link);
  const first = compileLink(raw, work);
  const rest = links.slice(1).map((link) => compileLink(link, work, first?.head.phase));
  if (!first || rest.includes(undefined)) return undefined;
  const whole = [first, ...rest.filter((link) => link !== undefined)];
  for (const [index, { head }] of whole.entries()) {
    head.ordinal = work.rules.length;
    work.rules.push(head);
    const next = whole[index + 1]?.head;
    if (next) head.next = next;
    addGate(head, work);
  }
  return first;
}

function compileLink(raw: RawRule, work: Work, headPhase?: Phase): Placed | undefined {
  const { issues } = work.configuration;
  const { file, line } = raw;
  const report = (level: SeclangIssue['level'], message: string) =>
    void issues.push({ file, line, level, message });
  const actions = compileActions(raw.actions, (phase) => raw.defaults.get(phase) ?? [], headPhase);
  for (const problem of actions.problems) report('notice', problem);
  const operator = raw.operator ? buildRuleOperator(raw, work, report) : always;
  const outcome = raw.operator ? work.targets.compile(raw.targets) : undefined;
  if (outcome && 'problem' in outcome) report('error', outcome.problem);
  if (!operator || (outcome && 'problem' in outcome)) return undefined;
  for (const name of outcome?.targets.absent ?? []) report('notice', `${name} has no members here`);
  const head: Writable<SecRule> = {
    ordinal: -1,
    id: actions.id,
    phase: actions.phase,
    file,
    line,
    ...(outcome ? { targets: outcome.targets } : {}),
    chain: chainOf(actions.transformations),
    multiMatch: actions.multiMatch,
    operator,
    capture: actions.capture,
    effects: actions.effects,
    facts: actions.facts,
    current: describe(actions),
    disruption: actions.disruption,
    gateBit: -1,
    group: -1,
  };
  return { head, actions };
}

function describe({ id, facts: { message, logData, severity, rev } }: CompiledActions): CurrentRule {
  return {
    id,
    severity,
    rev,
    message: (macros) => expand(message, macros),
    logData: (macros) => expand(logData, macros),
  };
}

const always: Operator = {
  name: 'unconditionalmatch',
  negated: false,
  constant: true,
  test: () => [],
};

function buildRuleOperator(
  raw: RawRule,
  { files }: Work,
  report: (level: SeclangIssue['level'], message: string) => void,
): Operator | undefined {
  const syntax = raw.operator ?? { name: 'unconditionalmatch', argument: '', negated: false };
  const outcome = buildOperator(syntax, { read: (name) => readDataFile(name, raw.file, files) });
  if (!outcome.ok) {
    report('error', outcome.reason);
    return undefined;
  }
  if (outcome.notice !== undefined) report('notice', outcome.notice);
  return outcome.operator;
}

/** A rule that must find some literal is looked at only where its gate says that the literal is there. */
function addGate(rule: Writable<SecRule>, work: Work): void {
  const required = requiredBy(rule);
  if (required.length > 0) setGate(rule, groupOf(rule), required, work);
}

/**
 * A rule that asks for no literal has a gate too, which is open until a text is known not to match. It is worth it
 * where texts come again, as headers do, or are read for other gates anyway.
 */
function addOpenGate(rule: Writable<SecRule>, work: Work): void {
  const { targets, operator } = rule;
  if (rule.gateBit >= 0 || !targets || rule.multiMatch || !operator.constant) return;
  const group = groupOf(rule);
  if (targets.fixed || work.groups.has(group)) setGate(rule, group, [], work);
}

const groupOf = ({ targets, chain }: SecRule) => `${targets?.number}:${chain.numbers.join(',')}`;

function setGate(rule: Writable<SecRule>, key: string, required: Work['required'][number], work: Work): void {
  // What rules write is new to every request.
  if (rule.targets?.volatile) return;
  rule.gateBit = work.required.push(required) - 1;
  const group = work.groups.get(key) ?? work.groups.size;
  work.groups.set(key, group);
  rule.group = group;
}
