import type { CustomRuleCreate, Template } from '@portcullis/contract/protection';
import type { RuleValue } from '../rules.ts';

/** A request to show with what a template does. Whatever is left out is an ordinary browser's. */
export interface TemplateExample {
  readonly method?: string;
  /** in origin form, undecoded: `/a?b=c` */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly ip?: string;
}

/** A rule that an operator can apply as it is, with requests that prove what it stops and what it leaves alone. */
export interface RuleTemplate {
  readonly id: string;
  readonly name: string;
  /** what it stops, and what it may break */
  readonly description: string;
  readonly severity: CustomRuleCreate['severity'];
  readonly category: string;
  /** safe on nearly every site */
  readonly recommended: boolean;
  readonly action: CustomRuleCreate['action'];
  readonly conditions: CustomRuleCreate['conditions'];
  readonly fires: readonly TemplateExample[];
  readonly passes: readonly TemplateExample[];
}

/** A template as the API shows it. */
export function presentTemplate({
  id,
  name,
  description,
  severity,
  category,
  recommended,
}: RuleTemplate): Template {
  return { id, name, description, severity, category, enabled: recommended };
}

/** The rule that applying a template makes, independent of it from then on. */
export function copyOf(template: RuleTemplate, siteId: string): RuleValue {
  const { name, description, severity, action, conditions } = template;
  return {
    name,
    description,
    severity,
    action,
    conditions,
    type: 'custom',
    enabled: true,
    siteId,
    status: 'active',
    templateId: template.id,
    logs: true,
  };
}

type Condition = CustomRuleCreate['conditions']['rules'][number];

/** All of the conditions must hold. */
export const all = (...rules: Condition[]): CustomRuleCreate['conditions'] => ({ operator: 'AND', rules });

/** One of the conditions must hold. */
export const any = (...rules: Condition[]): CustomRuleCreate['conditions'] => ({ operator: 'OR', rules });

/** The path matches, in any case. */
export const path = (pattern: string): Condition => ({
  field: 'path',
  operator: 'regex',
  value: `(?i)${pattern}`,
});

/** The User-Agent matches, in any case. */
export const userAgent = (pattern: string): Condition => ({
  field: 'user_agent',
  operator: 'regex',
  value: `(?i)${pattern}`,
});

/** A header's value or its `name: value` line matches, in any case. */
export const header = (pattern: string): Condition => ({
  field: 'header',
  operator: 'regex',
  value: `(?i)${pattern}`,
});

/** The query, or one value in it, matches, in any case. */
export const query = (pattern: string): Condition => ({
  field: 'query',
  operator: 'regex',
  value: `(?i)${pattern}`,
});

/** The body, or one value in it, matches, in any case. */
export const body = (pattern: string): Condition => ({
  field: 'body',
  operator: 'regex',
  value: `(?i)${pattern}`,
});

/** The method is this one. */
export const method = (value: string): Condition => ({ field: 'method', operator: 'equals', value });

const privateNetworks = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '127.0.0.0/8',
  'fc00::/7',
  '::1/128',
];

/** The client is in none of the private networks. @see RFC 1918, RFC 4193 */
export const fromOutside: readonly Condition[] = privateNetworks.map((value) => ({
  field: 'ip',
  operator: 'not_equals',
  value,
}));
