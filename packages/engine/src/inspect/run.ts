import type { Automaton, Hits } from '../gate/index.ts';
import {
  type JsonString,
  type ParsedRequest,
  type Part,
  type Skim,
  targetName,
  type Value,
} from '../parse/index.ts';
import type { Rule, Target } from '../rules/index.ts';
import type { Policy, Watch } from './compile.ts';
import { coversRule, type Exception } from './policy.ts';
import type { SeenTexts } from './seen-texts.ts';
import type { Match } from './verdict.ts';
import { meets } from './wildcards.ts';

/** A text as rules saw it, for the rule tester. */
export interface Evaluation {
  /** `query:id`, `json:items.0.name` */
  readonly target: string;
  readonly decoders: readonly string[];
  /** latin1, 512 characters at most */
  readonly text: string;
  /** rules whose gate opened and that were run */
  readonly evaluated: readonly string[];
  /** rules of those that matched */
  readonly matched: readonly string[];
}

/** The state of one inspection. */
export interface Run {
  readonly policy: Policy;
  readonly parsed: ParsedRequest;
  readonly hits: Hits;
  readonly matches: Match[];
  readonly matchedRules: Set<Rule>;
  readonly exceptions: readonly Exception[];
  /** whether the Host is the operator's word, see `InspectedRequest` */
  readonly ownHost: boolean;
  readonly exhausted: (() => boolean) | undefined;
  overBudget: boolean;
  /** bytes looked at, and what each text costs beside them */
  work: number;
  /** work after which `exhausted` is asked again */
  askAt: number;
  readonly trace: Evaluation[] | undefined;
  /** texts examined, and short ones that rules have seen; absent where a repeated text must be examined again */
  readonly seen: { readonly examined: SeenTexts; readonly judged: SeenTexts } | undefined;
  /** what readers pass over; absent where every value is to be seen */
  readonly skim: Skim | undefined;
  /** what documents of JSON within values begin with, by part */
  heads: Map<Part, JsonString> | undefined;
  /** how often the name of a value told whether a rule matched */
  namedChecks: number;
}

const scratch = new WeakMap<Automaton, Hits>();

/**
 * The hit table of an automaton, which sites may share: one is enough, for an inspection is never interrupted by
 * another.
 */
export function hitsOf({ automaton }: Pick<Watch, 'automaton'>): Hits {
  const known = scratch.get(automaton);
  if (known) return known;
  const hits = automaton.createHits();
  scratch.set(automaton, hits);
  return hits;
}

const shownLength = 512;

/** Records a rule's first match of the request, unless an exception covers it. */
export function recordMatch(
  run: Run,
  rule: Rule,
  value: Pick<Value, 'part' | 'name' | 'isName'>,
  text: string,
  span: readonly [start: number, end: number],
  decoders: readonly string[],
): void {
  if (run.matchedRules.has(rule) || isExcepted(run, rule, value.name)) return;
  run.matchedRules.add(rule);
  const start = Math.max(0, Math.min(span[0] - 128, text.length - shownLength));
  const shown = text.slice(start, start + shownLength);
  run.matches.push({
    ruleId: rule.id,
    message: rule.message,
    ...(rule.category && { category: rule.category }),
    severity: rule.severity,
    score: rule.score,
    target: targetName(value),
    value: shown,
    span: [span[0] - start, Math.min(span[1] - start, shown.length)],
    transformations: decoders,
  });
}

/** Whether an exception in force on this request covers the rule at this parameter. */
export function isExcepted(run: Run, rule: Rule, parameter: string): boolean {
  return run.exceptions.some(
    (exception) =>
      coversRule(exception, rule) &&
      (exception.parameter === undefined || meets(exception.parameter, parameter, '.', false)),
  );
}

/** Whether a rule wants this value, beyond the part of the request it stands in. */
export function appliesTo(rule: Rule, value: Value): boolean {
  return rule.targets.some((target) => wants(target, value));
}

/** Whether one target covers a value. */
export function wants(target: Target, value: Value): boolean {
  return (
    target.part === value.part &&
    (target.of === undefined || (target.of === 'names') === value.isName) &&
    (target.name === undefined || target.name === value.name) &&
    !target.not?.includes(value.name) &&
    (target.path === undefined || target.path.test(value.name)) &&
    !target.notPath?.test(value.name)
  );
}
