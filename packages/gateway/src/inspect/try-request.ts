import type { GatewaySite } from '@portcullis/contract/link';
import type { RuleTestOutcome, TriedRequest } from '@portcullis/contract/protection';
import { type Explanation, explain, type InspectedRequest, type Verdict } from '@portcullis/engine';
import { notCarriedOut } from '../report/index.ts';
import { atOnce } from '../steps.ts';
import { findingOf } from './finding.ts';
import { PolicyCache } from './inspection.ts';

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

/** Says what inspection makes of a request. Throws with a sentence, when a rule of the site cannot be compiled. */
export type RequestTrial = (site: GatewaySite, tried: TriedRequest, nowMs: number) => RuleTestOutcome;

/**
 * Tries requests by the very policy that a gateway compiles for a site; the last one is kept, for who tries one
 * request tries another. `nowMs` decides which exceptions still hold.
 */
export function createRequestTrial(): RequestTrial {
  const policies = new PolicyCache();
  return (site, tried, nowMs) => {
    const policy = atOnce(policies.policyOf(site));
    policies.turn();
    if (policy === undefined) return { ...nothing, matches: [], evaluations: [], oddities: [] };
    const deadline = performance.now() + budgetMs;
    const context = { nowMs, exhausted: () => performance.now() > deadline };
    return outcomeOf(explain(policy, requestOf(tried), context), site);
  };
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
  site: GatewaySite,
): RuleTestOutcome {
  const { decision, location, decidedBy, reached, score, scores, matches, overBudget = false } = verdict;
  return {
    decision,
    ...(location === undefined ? {} : { location }),
    ...(decidedBy?.ruleId === undefined ? {} : { ruleId: decidedBy.ruleId }),
    ...(decidedBy?.category === undefined ? {} : { category: decidedBy.category }),
    message: messageOf(verdict, site),
    score,
    ...(reached === undefined ? {} : { reached: { ...reached } }),
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

function messageOf(verdict: Verdict, { rules, watch_only }: GatewaySite): string {
  if (verdict.decision !== 'pass' || verdict.matches.length > 0) {
    const finding = findingOf(verdict, new Set(rules.map(({ id }) => id)), 0);
    return (watch_only ? notCarriedOut(finding) : finding).message;
  }
  return verdict.overBudget
    ? 'Not judged: it asked for more inspection than one request may'
    : 'Passed: nothing in it is held against it';
}
