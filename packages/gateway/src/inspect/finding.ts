import { typedText, visibleText } from '@portcullis/contract/events';
import { categoryNames } from '@portcullis/contract/vocabulary';
import type { Leak, Match, Verdict } from '@portcullis/engine';
import type { Finding } from '../report/index.ts';
import type { LeakOutcome } from './response-guard.ts';

const verbs = {
  block: 'Blocked',
  challenge: 'Challenged',
  redirect: 'Redirected',
  allow: 'Allowed',
  log: 'Noticed',
} as const;

/** What begins a sentence about a category. */
const subjects = { ...categoryNames, method_validation: 'Method not allowed' } as const;
const severityOrder = ['low', 'medium', 'high', 'critical'];

/**
 * What is told of a verdict that is not a plain pass.
 * @param custom ids of the operator's own rules
 */
export function findingOf(verdict: Verdict, custom: ReadonlySet<string>, decisionMicros: number): Finding {
  const { decidedBy, reached, matches, score } = verdict;
  // A rule of the operator's that only logs leaves the decision at pass.
  const decision = verdict.decision === 'pass' ? 'log' : verdict.decision;
  const leading = leadingMatch(verdict);
  const ruleId = decidedBy?.ruleId ?? leading?.ruleId;
  const severe = severityOrder.indexOf(leading?.severity ?? 'medium') >= 2;
  return {
    kind: ruleId !== undefined && custom.has(ruleId) ? 'custom_rule' : 'detection',
    level: levelOf(decision, severe),
    decision,
    message: sentenceOf(decision, leading),
    // What somebody allowed is no finding of a category, whatever its rule is sorted under.
    ...(decidedBy?.category === undefined || decision === 'allow' ? {} : { category: decidedBy.category }),
    ...(ruleId === undefined ? {} : { ruleId }),
    score,
    ...(reached === undefined ? {} : { reached: { ...reached } }),
    matches: matches.map((match) => ({
      ...match,
      span: [...match.span],
      transformations: [...match.transformations],
    })),
    decisionMicros: Math.round(decisionMicros),
  };
}

function levelOf(decision: keyof typeof verbs, severe: boolean): Finding['level'] {
  if (decision === 'block' && severe) return 'error';
  return decision === 'log' || decision === 'allow' ? 'info' : 'warning';
}

/**
 * What a person reads: first what it is, then what was done and where, last what gave it away.
 * 'SQL injection blocked in query parameter id: a UNION that selects'. An operator's own rule speaks by its name alone.
 */
function sentenceOf(decision: keyof typeof verbs, leading: Match | undefined): string {
  const verb = verbs[decision];
  if (leading === undefined) return `${verb} by rule`;
  const place = placeOf(leading.target);
  if (leading.category === undefined || decision === 'allow')
    return `${verb}: ${leading.message} in ${place}`;
  return `${subjects[leading.category]} ${verb.toLowerCase()} in ${place}: ${withinSentence(leading.message)}`;
}

/** Common words that messages of our rules begin with, beside those in -ing. */
const commonWords =
  'An?|The|One|Two|More|Many|What|Words|Text|Something|Settings|Arithmetic|Entities|Headers|Markup|Metadata|Pollution|Script|Spaces';

const beginsCommon = new RegExp(`^(?:${commonWords}|[A-Z][a-z]+ing)\\b`);

/** A small letter where a common word begins; names such as PHP, UNION or Python keep theirs. */
const withinSentence = (text: string): string => text.replace(beginsCommon, (word) => word.toLowerCase());

const leakVerbs = { noticed: verbs.log, withheld: 'Withheld', cut: 'Cut off' } as const;

/** What is told of an answer that showed too much. */
export function findingOfLeak(leak: Leak, what: LeakOutcome): Finding {
  const { ruleId, message, severity, value, span } = leak;
  const decision = what === 'noticed' ? 'log' : 'block';
  return {
    kind: 'response_leak',
    level: severityOrder.indexOf(severity) >= 2 ? 'error' : 'warning',
    decision,
    message: `${leakVerbs[what]}: ${message} in the answer`,
    ruleId,
    matches: [
      {
        ruleId,
        message,
        severity,
        score: 0,
        target: 'response',
        value,
        span: [...span],
        transformations: [],
      },
    ],
  };
}

/** The match that explains the decision best: of the deciding rule, else of its category, else the weightiest. */
function leadingMatch({ decidedBy, matches }: Verdict): Match | undefined {
  const ofRule = matches.filter((match) => match.ruleId === decidedBy?.ruleId);
  const ofCategory = matches.filter(
    (match) => match.category !== undefined && match.category === decidedBy?.category,
  );
  const candidates = ofRule.length > 0 ? ofRule : ofCategory.length > 0 ? ofCategory : matches;
  return candidates.reduce<Match | undefined>(
    (best, match) => (best === undefined || match.score > best.score ? match : best),
    undefined,
  );
}

const places: Record<string, string> = {
  query: 'query parameter',
  form: 'form field',
  json: 'JSON value',
  xml: 'XML value',
  multipart: 'form field',
  file: 'uploaded file',
  header: 'header',
  cookie: 'cookie',
};

/** `query:id` as a person says it: 'query parameter id', with nothing in the name that would hide or turn text. */
export function placeOf(target: string): string {
  const colon = target.indexOf(':');
  if (colon === -1) return target;
  const place = places[target.slice(0, colon)] ?? target.slice(0, colon);
  return `${place} ${visibleText(typedText(target.slice(colon + 1)).slice(0, 64))}`;
}
