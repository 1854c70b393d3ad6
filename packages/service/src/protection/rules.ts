import type { Issue } from '@portcullis/contract/api';
import {
  Conditions,
  type CustomRule,
  CustomRuleCreate,
  type Ruleset,
  rulesetStatuses,
} from '@portcullis/contract/protection';
import { z } from 'zod';
import type { StoredObject } from '../configuration/index.ts';

type Condition = z.infer<typeof Conditions>['rules'][number];

/** A rule as it is sent; ids and times are the object's. */
export const SentRule = CustomRuleCreate.extend({ templateId: z.string().max(64).optional() });

const namedFields: ReadonlySet<string> = new Set(['header', 'query']);

function withoutStrayName(condition: Condition): Condition {
  const { name, ...rest } = condition;
  return name && !namedFields.has(condition.field) ? rest : condition;
}

/** What is stored of a rule. Names on fields that have none, which earlier releases took and passed over, are dropped. */
export const RuleValue = SentRule.extend({
  conditions: Conditions.transform(({ operator, rules }) => ({
    operator,
    rules: rules.map(withoutStrayName),
  })),
});
export type RuleValue = z.infer<typeof SentRule>;

/** What is stored of a ruleset; its rules are objects of their own, with the ruleset as their parent. */
export const RulesetValue = z.object({
  siteId: z.string().max(64),
  name: z.string().trim().min(1, 'Name is required').max(200),
  status: z.enum(rulesetStatuses).default('active'),
  /** `own` is where a site's custom rules are created; there is one a site */
  origin: z.enum(['own', 'templates']),
});
export type RulesetValue = z.infer<typeof RulesetValue>;

export type StoredRule = StoredObject<RuleValue>;
export type StoredRuleset = StoredObject<RulesetValue>;

/** Rules that one ruleset may hold: more would make each request pay for them. */
export const maxRulesPerSet = 500;

const time = (milliseconds: number) => new Date(milliseconds).toISOString();

/** A stored rule as the API and the gateways read it. */
export function presentRule(rule: StoredRule): CustomRule {
  return {
    ...rule.value,
    id: rule.id,
    ...(rule.parentId !== null && { rulesetId: rule.parentId }),
    created_at: time(rule.createdAt),
    updated_at: time(rule.updatedAt),
  };
}

/** @param rules the set's own, in their order */
export function presentRuleset(set: StoredRuleset, rules: readonly StoredRule[]): Ruleset {
  const { siteId, name, status } = set.value;
  return { id: set.id, siteId, name, version: set.version, status, rules: rules.map(presentRule) };
}

const severityOrder = { critical: 0, high: 1, medium: 2, low: 3 } as const;

/** Enabled rules of active sets, in order of decision: severity first, then age. */
export function rulesInForce(sets: readonly StoredRuleset[], rules: readonly StoredRule[]): StoredRule[] {
  const active = new Set(sets.filter((set) => set.value.status === 'active').map((set) => set.id));
  return rules
    .filter(({ parentId, value }) => active.has(parentId ?? '') && value.enabled && value.status === 'active')
    .sort(
      (a, b) =>
        severityOrder[a.value.severity] - severityOrder[b.value.severity] ||
        a.createdAt - b.createdAt ||
        (a.id < b.id ? -1 : 1),
    );
}

/** A rule that redirects and does not say where to leads to the site's first page: a client need not know the field. */
export function withDestination<R extends CustomRuleCreate>(rule: R): R {
  return rule.action === 'redirect' && rule.redirectTo === undefined ? { ...rule, redirectTo: '/' } : rule;
}

/** A path of the site, or an absolute address: `javascript:` and what else a browser runs leads nowhere. */
const isDestination = (text: string) => text.startsWith('/') || /^https?:\/\/[^/]/i.test(text);

/**
 * What the schema cannot say of a rule.
 * @param sent what of it is new: an earlier release kept names that nothing has, which keep nobody from changing the rest
 */
export function ruleIssues(rule: CustomRuleCreate, sent: object = rule): Issue[] {
  return [...('conditions' in sent ? nameIssues(rule) : []), ...destinationIssues(rule)];
}

function destinationIssues(rule: CustomRuleCreate): Issue[] {
  if (rule.action !== 'redirect') return [];
  const { redirectTo = '' } = rule;
  if (redirectTo === '') return [{ path: 'redirectTo', message: 'Say where the rule redirects to' }];
  if (isDestination(redirectTo)) return [];
  const message = 'Enter a path that begins with /, or an address that begins with https:// or http://';
  return [{ path: 'redirectTo', message }];
}

/** RFC 9110 §5.1: no request has a header of another name. */
const headerName = /^[!#$%&'*+.^_`|~\w-]+$/;

/** A name that nothing has would make a condition never hold, or always. */
function nameIssues({ conditions }: CustomRuleCreate): Issue[] {
  return conditions.rules.flatMap(({ field, name }, index) => {
    if (!name || field === 'query' || (field === 'header' && headerName.test(name))) return [];
    const message =
      field === 'header'
        ? 'Use a header name such as X-Api-Key'
        : 'Only a header or a query parameter has a name';
    return [{ path: `conditions.rules.${index}.name`, message }];
  });
}
