import { parseTemplate } from '../macros/index.ts';
import { type Phase, transformationNumber } from '../state/index.ts';
import type { ActionSyntax } from '../syntax/index.ts';
import { lastValue, readDisruption } from './disruption.ts';
import type { Effect } from './effect.ts';
import { readEffect } from './read-effect.ts';
import type { Disruption, RuleFacts } from './rule.ts';

/** A rule's list of actions, read. */
export interface CompiledActions {
  readonly id: number;
  readonly phase: Phase;
  readonly chained: boolean;
  readonly transformations: readonly number[];
  readonly multiMatch: boolean;
  readonly capture: boolean;
  readonly effects: readonly Effect[];
  readonly facts: RuleFacts;
  readonly disruption: Disruption;
  readonly skip: number;
  readonly skipAfter: string | undefined;
  /** what of the list has no meaning, in plain words */
  readonly problems: readonly string[];
}

const severities = ['EMERGENCY', 'ALERT', 'CRITICAL', 'ERROR', 'WARNING', 'NOTICE', 'INFO', 'DEBUG'];

/** Words that the recommended logging and request phases go by. */
const phaseNames: Readonly<Record<string, number>> = { request: 2, response: 4, logging: 5 };

/**
 * Reads a rule's actions.
 * @param defaults those of the SecDefaultAction in force for the rule's phase
 * @param headPhase of the chain that the rule is a link of; links name none themselves
 */
export function compileActions(
  own: readonly ActionSyntax[],
  defaultsFor: (phase: Phase) => readonly ActionSyntax[],
  headPhase?: Phase,
): CompiledActions {
  const problems: string[] = [];
  const phase = headPhase ?? readPhase(lastValue(own, 'phase'), problems);
  const defaults = defaultsFor(phase);
  const all = [...defaults, ...own];
  const effects: Effect[] = [];
  for (const action of own) effects.push(...readEffect(action, problems));
  return {
    id: Number(lastValue(own, 'id') ?? 0),
    phase,
    chained: has(own, 'chain'),
    transformations: readTransformations(all, problems),
    multiMatch: has(own, 'multimatch'),
    capture: has(own, 'capture'),
    effects,
    facts: readFacts(all, own),
    disruption: readDisruption(all, defaults),
    skip: Number(lastValue(own, 'skip') ?? 0),
    skipAfter: lastValue(own, 'skipafter'),
    problems,
  };
}

const has = (actions: readonly ActionSyntax[], name: string) => actions.some((one) => one.name === name);

function readPhase(value: string | undefined, problems: string[]): Phase {
  if (value === undefined) return 2;
  const phase = phaseOf(value);
  if (phase === undefined) problems.push(`phase:${value} is no phase; 2 is taken`);
  return phase ?? 2;
}

/** A phase by number or name; undefined where there is none of that. */
export function phaseOf(value: string): Phase | undefined {
  const phase = phaseNames[value.toLowerCase()] ?? Number(value);
  return phase === 1 || phase === 2 || phase === 3 || phase === 4 || phase === 5 ? phase : undefined;
}

function readTransformations(actions: readonly ActionSyntax[], problems: string[]): number[] {
  const chain: number[] = [];
  for (const { name, value } of actions) {
    if (name !== 't') continue;
    if (value.toLowerCase() === 'none') chain.length = 0;
    else {
      const number = transformationNumber(value);
      if (number < 0) problems.push(`the transformation t:${value} is not known and left out`);
      else chain.push(number);
    }
  }
  return chain;
}

function readFacts(all: readonly ActionSyntax[], own: readonly ActionSyntax[]): RuleFacts {
  const severity = lastValue(own, 'severity') ?? '';
  const logging = all.findLast(({ name }) => name === 'log' || name === 'nolog');
  return {
    message: parseTemplate(lastValue(own, 'msg') ?? ''),
    logData: parseTemplate(lastValue(own, 'logdata') ?? ''),
    tags: all.filter(({ name }) => name === 'tag').map(({ value }) => value),
    severity: severities[Number(severity || Number.NaN)] ?? severity.toUpperCase(),
    rev: lastValue(own, 'rev') ?? '',
    ver: lastValue(own, 'ver') ?? '',
    log: logging?.name !== 'nolog',
  };
}

/** ModSecurity's number of a severity, 0 the gravest; 255 when a rule names none. */
export function severityNumber(severity: string): number {
  const number = severities.indexOf(severity);
  return number < 0 ? 255 : number;
}
