import type { GatewaySite } from '@portcullis/contract/link';
import type { RuleTestOutcome, TriedRequest } from '@portcullis/contract/protection';
import { compilePolicy, type Explanation, explain, type InspectedRequest } from '@portcullis/engine';
import { findingOf } from './finding.ts';
import { policyInputOf } from './policy-input.ts';
import { compileRules } from './rules.ts';

/** Milliseconds that a trial may keep the caller busy. */
const budgetMs = 500;

const nothing = {
  decision: 'pass',
  message: 'Nothing is inspected on this site',
  score: 0,
  scores: {},
  overBudget: false,
  matches: [],
  evaluations: [],
  valueCount: 0,
  oddities: [],
} as const;

/**
 * What inspection makes of a request, by the same policy that a gateway compiles for the site.
 * @param nowMs decides which exceptions still hold
 * @throws with a sentence, when a rule of the site cannot be compiled
 */
export function tryRequest(site: GatewaySite, tried: TriedRequest, nowMs: number): RuleTestOutcome {
  const rules = site.security_level === 'off' ? [] : compileRules(site.rules);
  const input = policyInputOf(site, rules);
  if (input === undefined) return { ...nothing, matches: [], evaluations: [], oddities: [] };
  const deadline = performance.now() + budgetMs;
  const context = { nowMs, exhausted: () => performance.now() > deadline };
  const explanation = explain(compilePolicy(input), requestOf(tried), context);
  return outcomeOf(explanation, new Set(rules.map(({ id }) => id)));
}

/** Text that a person typed goes over the wire as UTF-8, which the engine reads as latin1, a character a byte. */
function requestOf({ method, target, headers, body, clientIp }: TriedRequest): InspectedRequest {
  const wire = (text: string) => Buffer.from(text, 'utf8').toString('latin1');
  return {
    method,
    target: wire(target),
    httpVersion: '1.1',
    scheme: 'http',
    headers: headers.map(({ name, value }) => [name, wire(value)]),
    clientIp,
    ...(body === '' ? {} : { body: wire(body) }),
  };
}

function outcomeOf(
  { verdict, evaluations, valueCount, oddities }: Explanation,
  custom: ReadonlySet<string>,
): RuleTestOutcome {
  const { decision, location, decidedBy, score, scores, matches, overBudget = false } = verdict;
  const passes = decision === 'pass' && matches.length === 0;
  return {
    decision,
    ...(location === undefined ? {} : { location }),
    ...(decidedBy?.ruleId === undefined ? {} : { ruleId: decidedBy.ruleId }),
    ...(decidedBy?.category === undefined ? {} : { category: decidedBy.category }),
    message: passes ? 'Passed: nothing in it is held against it' : findingOf(verdict, custom, 0).message,
    score,
    scores: { ...scores },
    overBudget,
    matches: matches.map((match) => ({
      ...match,
      span: [...match.span],
      transformations: [...match.transformations],
    })),
    evaluations: evaluations.map(({ target, decoders, text, evaluated, matched }) => ({
      target,
      transformations: [...decoders],
      value: text,
      evaluated: [...evaluated],
      matched: [...matched],
    })),
    valueCount,
    oddities: [...oddities],
  };
}
