import { canonicalPath, type InspectedRequest, type Oddity, parseRequest } from '../parse/index.ts';
import type { Rule, SiteFacts } from '../rules/index.ts';
import type { InspectedCategory, Mode } from '../vocabulary.ts';
import type { Policy } from './compile.ts';
import { decideCustom } from './custom.ts';
import { examineValue } from './examine.ts';
import { type Exception, holdsAt } from './policy.ts';
import { hitsOf, isExcepted, type Run } from './run.ts';
import { SeenTexts } from './seen-texts.ts';
import { skimOf } from './skim.ts';
import type { Reached, Unread, Verdict } from './verdict.ts';
import { meets } from './wildcards.ts';

/** What the engine can't know by itself. */
export interface InspectContext {
  /** asked every few kilobytes, between values; true stops the inspection, and the verdict says `overBudget` */
  readonly exhausted?: () => boolean;
  /** milliseconds since the epoch, for exceptions that expire */
  readonly nowMs?: number;
}

/**
 * Judges a request. Never throws; takes time linear in the request.
 * @returns the decision, with every rule that matched and why
 */
export function inspect(policy: Policy, request: InspectedRequest, context: InspectContext = {}): Verdict {
  const run = startRun(policy, request, context, false);
  return conclude(run, request);
}

/** Parses the request and readies the state; `traced` keeps what was evaluated. */
export function startRun(
  policy: Policy,
  request: InspectedRequest,
  context: InspectContext,
  traced: boolean,
): Run {
  const skim = traced ? undefined : skimOf(policy);
  const parsed = parseRequest(request, policy.limits, skim);
  const exceptions =
    policy.exceptions.length === 0
      ? noExceptions
      : inForce(policy, request.method, parsed.path, context.nowMs);
  return {
    policy,
    parsed,
    hits: hitsOf(policy),
    matches: [],
    matchedRules: new Set(),
    exceptions,
    ownHost: request.ownHost ?? false,
    exhausted: context.exhausted,
    overBudget: false,
    work: 0,
    askAt: 0,
    trace: traced ? [] : undefined,
    seen:
      traced || !policy.gated || exceptions.length > 0 || parsed.values.length < manyValues
        ? undefined
        : { examined: new SeenTexts(), judged: new SeenTexts() },
    skim,
    heads: undefined,
    namedChecks: 0,
  };
}

/** lists of many things alike repeat themselves; few values hardly do */
const manyValues = 12;

const noExceptions: readonly Exception[] = [];

function inForce(
  policy: Policy,
  method: string,
  path: string,
  nowMs: number | undefined,
): readonly Exception[] {
  return policy.exceptions.filter(
    (exception) =>
      holdsAt(exception, nowMs) &&
      (exception.method === undefined || exception.method === method) &&
      (exception.path === undefined || pathMatches(exception.path, path)),
  );
}

/** As it was sent and as an application may read it: what excuses `/notes/*` does not excuse `/notes/..%2fadmin`. */
function pathMatches(pattern: string, path: string): boolean {
  return meets(pattern, path, '/', true) && meets(canonicalPattern(pattern), canonicalPath(path), '/', true);
}

function canonicalPattern(pattern: string): string {
  return pattern.endsWith('*') ? `${canonicalPath(pattern.slice(0, -1))}*` : canonicalPath(pattern);
}

/** Runs all rules and decides. */
export function conclude(run: Run, request: InspectedRequest): Verdict {
  const custom = decideCustom(run, request);
  const { customRules, structureRules } = run.policy;
  const decisive = customRules.findIndex(({ id }) => id === custom?.decidedBy?.ruleId);
  traceWhole(run, request, decisive < 0 ? customRules : customRules.slice(0, decisive + 1), 0);
  if (custom && custom.decision !== 'pass') return { ...custom, matches: run.matches };
  const before = run.matches.length;
  checkStructure(run, request);
  if (run.trace)
    traceWhole(
      run,
      request,
      structureRules.map(({ rule }) => rule),
      before,
    );
  if (run.policy.units.length > 0) {
    for (const value of run.parsed.values) {
      examineValue(run, value);
      if (run.overBudget) break;
    }
  }
  const verdict = run.matches.length === 0 && !run.overBudget ? clean : decide(run);
  const unread = unreadOf(run.parsed.oddities);
  return unread === undefined ? verdict : { ...verdict, unread };
}

/** Rules about the request as a whole, for the rule tester. */
function traceWhole(run: Run, request: InspectedRequest, rules: readonly Rule[], before: number): void {
  if (!run.trace || rules.length === 0) return;
  run.trace.push({
    target: 'request',
    decoders: [],
    text: `${request.method} ${run.parsed.path}`.slice(0, 512),
    evaluated: rules.map(({ id }) => id),
    matched: run.matches.slice(before).map(({ ruleId }) => ruleId),
  });
}

const undecodable: readonly Oddity[] = ['unknown compression', 'malformed compression', 'unknown charset'];

function unreadOf(oddities: ReadonlySet<Oddity>): Unread | undefined {
  if (oddities.size === 0) return undefined;
  if (undecodable.some((oddity) => oddities.has(oddity))) return 'undecoded';
  if (oddities.has('inflation over limit')) return 'inflated';
  return oddities.has('body over limit') ? 'oversize' : undefined;
}

const clean: Verdict = { decision: 'pass', score: 0, scores: {}, matches: [] };

/** Runs the rules that look at the request as a whole. */
export function checkStructure(run: Run, request: InspectedRequest): void {
  const { policy, parsed } = run;
  if (policy.structureRules.length === 0) return;
  const { method, scheme, target, httpVersion } = request;
  const { trustedOrigins, allowedMethods } = policy;
  const facts: SiteFacts = { trustedOrigins, allowedMethods, method, scheme, target, httpVersion };
  for (const { rule, check } of policy.structureRules) {
    const found = check(parsed, facts);
    if (!found || isExcepted(run, rule, found.target.slice(found.target.indexOf(':') + 1))) continue;
    const value = found.value.slice(0, 512);
    const { id: ruleId, message, severity, score, category } = rule;
    run.matches.push({
      ruleId,
      message,
      severity,
      score,
      ...(category && { category }),
      target: found.target,
      value,
      span: [0, value.length],
      transformations: [],
    });
  }
}

const strength: Readonly<Record<Mode, number>> = { log: 0, challenge: 1, block: 2 };

/** Sums up what matched. */
export function decide(run: Run): Verdict {
  const scores: Partial<Record<InspectedCategory, number>> = {};
  let score = 0;
  for (const match of run.matches) {
    score += match.score;
    if (match.category) scores[match.category] = (scores[match.category] ?? 0) + match.score;
  }
  let decided: { mode: Mode; category: InspectedCategory; reached: Reached } | undefined;
  for (const [category, { mode, threshold, sensitivity }] of run.policy.chosen) {
    const own = scores[category] ?? 0;
    if (own < threshold) continue;
    if (decided && strength[mode] <= strength[decided.mode]) continue;
    decided = { mode, category, reached: { score: own, threshold, sensitivity } };
  }
  const ruleId = run.matches.find((match) => match.category === decided?.category)?.ruleId;
  return {
    decision: decided?.mode ?? 'pass',
    ...(decided && {
      decidedBy: { category: decided.category, ...(ruleId !== undefined && { ruleId }) },
      reached: decided.reached,
    }),
    score,
    scores,
    matches: run.matches,
    ...(run.overBudget && { overBudget: true }),
  };
}
