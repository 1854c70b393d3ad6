import { utf8Bytes } from '../decode/index.ts';
import { compileLinear } from '../pattern/index.ts';
import {
  type Combinator,
  type ConditionField,
  type ConditionOperator,
  type InspectedCategory,
  inspectedCategories,
  type RuleAction,
  type Severity,
} from '../vocabulary.ts';
import type { Condition, Operator, Rule, Target } from './ir.ts';

/** An operator's own rule, as stored. Text is Unicode. */
export interface CustomRuleDefinition {
  readonly id: string;
  readonly name: string;
  /** `custom` or a category: groups the rule's events, changes nothing else */
  readonly type?: string;
  readonly conditions: { readonly operator: Combinator; readonly rules: readonly CustomCondition[] };
  readonly action: RuleAction;
  readonly severity: Severity;
  /** where a `redirect` sends the client */
  readonly location?: string;
  /** false: nobody is to be told of what an `allow` let pass */
  readonly logs?: boolean;
}

export interface CustomCondition {
  readonly field: ConditionField;
  /** which header, in any case, or which parameter of the query; absent looks at all of them. Other fields have no names */
  readonly name?: string | undefined;
  readonly operator: ConditionOperator;
  readonly value: string;
}

export interface CustomRuleIssue {
  /** into the definition: `['conditions', 'rules', 0, 'value']` */
  readonly path: readonly (string | number)[];
  /** for the operator */
  readonly message: string;
}

export type CompiledCustomRule =
  | { readonly ok: true; readonly rule: Rule }
  | { readonly ok: false; readonly issues: readonly CustomRuleIssue[] };

const maxValueLength = 2000;

/**
 * Compiles an operator's rule. Its regular expressions run on an engine of our own whose time is bounded by
 * pattern × text, so no stored rule can stall a request; what that engine can't do is refused with the reason.
 *
 * What a field looks at: `path` decoded and as sent; `query` and `body` as a whole and each value in them;
 * `header` each header's value and its line `name: value`; `ip` takes an address or a block such as
 * `10.0.0.0/8` for equals. A condition that names a header or a parameter looks at what was sent under that name
 * alone: any of them where it came several times, an empty text where it came without a value, nothing where it did
 * not come, so that `not_equals` holds and all else does not. Comparison is exact in case, `method` and regular
 * expressions with a leading `(?i)` apart.
 *
 * What stops a request is met by any way in which its path may be read; what allows it by all of them alone.
 */
export function compileCustomRule(definition: CustomRuleDefinition): CompiledCustomRule {
  const issues: CustomRuleIssue[] = [];
  const { operator: combinator, rules } = definition.conditions;
  if (rules.length === 0)
    issues.push({ path: ['conditions', 'rules'], message: 'A rule needs at least one condition.' });
  const parts = rules.flatMap((condition, index) => {
    const compiled = compileCondition(condition);
    if (typeof compiled !== 'string') return [compiled];
    issues.push({ path: ['conditions', 'rules', index, 'value'], message: compiled });
    return [];
  });
  if (definition.action === 'redirect' && !isLocation(definition.location)) {
    issues.push({
      path: ['location'],
      message: 'A redirect needs a path that starts with / or an http(s) address.',
    });
  }
  if (issues.length > 0) return { ok: false, issues };
  const { id, name, severity, action, location, logs = true } = definition;
  const category = inspectedCategories.find((one) => one === definition.type);
  const rule: Rule = {
    id,
    message: name,
    phase: 2,
    targets: [],
    transformations: [],
    operator: { kind: 'combine', combinator, parts },
    ...(category && { category: category satisfies InspectedCategory }),
    severity,
    score: 0,
    sensitivity: 'low',
    verdict: {
      action,
      ...(location !== undefined && action === 'redirect' && { location }),
      ...(!logs && action === 'allow' && { silent: true }),
    },
  };
  return { ok: true, rule };
}

function isLocation(location: string | undefined): boolean {
  return location !== undefined && /^(?:\/(?!\/)|https?:\/\/[^\s/])[^\s]*$/.test(location);
}

/** @returns the condition, or why it can't be, as a sentence */
function compileCondition({ field, name, operator, value }: CustomCondition): Condition | string {
  if (value === '' && operator !== 'equals' && operator !== 'not_equals') {
    return `An empty text ${operator === 'regex' ? 'as a pattern' : 'here'} would match every request.`;
  }
  if (value.length > maxValueLength) return `The value is longer than ${maxValueLength} characters.`;
  const compiled = operator === 'regex' ? compilePattern(value) : compileComparison(field, operator, value);
  if (typeof compiled === 'string') return compiled;
  return {
    targets: name ? named(field, name) : targets[field],
    transformations: [],
    operator: compiled,
    ...(operator === 'not_equals' && { negate: true }),
  };
}

const targets: Readonly<Record<ConditionField, readonly Target[]>> = {
  path: [{ part: 'path' }],
  method: [{ part: 'method' }],
  header: [{ part: 'header' }],
  query: [{ part: 'query' }],
  body: [
    { part: 'body' },
    { part: 'form' },
    { part: 'json' },
    { part: 'xml' },
    { part: 'multipart' },
    { part: 'filename' },
  ],
  ip: [{ part: 'ip' }],
  user_agent: [{ part: 'header', name: 'user-agent' }],
};

function named(field: ConditionField, name: string): readonly Target[] {
  if (field === 'header') return [{ part: 'header', name: name.toLowerCase() }];
  return field === 'query' ? [{ part: 'query', name: asBytes(name) }] : targets[field];
}

function compileComparison(
  field: ConditionField,
  operator: Exclude<ConditionOperator, 'regex'>,
  value: string,
): Operator | string {
  const wanted = asBytes(field === 'method' ? value.toUpperCase() : value);
  const comparison = operator === 'not_equals' ? 'equals' : operator;
  if (field !== 'ip' || comparison !== 'equals') return { kind: 'compare', comparison, value: wanted };
  if (!/^[0-9a-fA-F.:]{2,45}(?:\/\d{1,3})?$/.test(value))
    return `${value} is neither an address nor a block such as 10.0.0.0/8.`;
  return { kind: 'compare', comparison: 'cidr', value };
}

function compilePattern(value: string): Operator | string {
  const ignoreCase = value.startsWith('(?i)');
  const compiled = compileLinear(ignoreCase ? value.slice(4) : value, { ignoreCase, utf8: true });
  if (compiled.ok) return { kind: 'linear', pattern: compiled.pattern };
  const { reason, at } = compiled.issue;
  return `The pattern can't be used: ${reason} (at character ${at + 1 + (ignoreCase ? 4 : 0)}).`;
}

/** UTF-8, one char one byte, as requests are read. */
function asBytes(text: string): string {
  return Array.from(text, (char) => utf8Bytes(char.codePointAt(0) ?? 0)).join('');
}
