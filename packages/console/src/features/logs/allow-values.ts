import type { AuditEntry, EventMatch } from '@portcullis/contract/events';
import { typedText } from '@portcullis/contract/events';
import type { InspectionException } from '@portcullis/contract/sites';
import { inspectedCategories } from '@portcullis/contract/vocabulary';
import { categoryLabel } from '../../lib/messages/categories.ts';
import { messages } from '../../lib/messages/index.ts';
import type { Lifetime } from '../../lib/queries/index.ts';
import { endOf } from '../../lib/queries/index.ts';

const words = messages.logs.allow;

/** What the form 'Allow this' asks. */
export interface AllowValues {
  /** the rules that matched, or all rules of their categories */
  what: 'rules' | 'categories';
  /** exact, or a prefix that ends in `*` */
  path: string;
  onlyParameters: boolean;
  onlyMethod: boolean;
  lifetime: Lifetime;
  note: string;
}

/** @returns whether the event was an inspection's finding on a site, which an exception can allow */
export function canBeAllowed(entry: AuditEntry): boolean {
  return entry.siteId !== undefined && entry.kind === 'detection' && (entry.matches?.length ?? 0) > 0;
}

/** @returns the narrowest choice that lets this very request pass */
export function firstValues(entry: AuditEntry): AllowValues {
  const path = (entry.path ?? '/').split('?', 1)[0] ?? '/';
  return { what: 'rules', path, onlyParameters: true, onlyMethod: true, lifetime: 'never', note: '' };
}

/**
 * The parameter of a match's target: `query:id` gives `id`, `json:a.b (name)` gives `a.b`.
 * @returns undefined where the match stands in a whole part of the request, such as the path
 */
export function parameterOf({ target }: Pick<EventMatch, 'target'>): string | undefined {
  const colon = target.indexOf(':');
  const name = colon === -1 ? '' : target.slice(colon + 1).replace(/ \(name\)$/, '');
  return name === '' ? undefined : typedText(name);
}

/**
 * The same as an exception names it: whatever stands at some place of a list may stand at any, so `items.0.name` is
 * `items.*.name`. A name that is only a number stays.
 */
export function allowedParameter(match: Pick<EventMatch, 'target'>): string | undefined {
  const name = parameterOf(match);
  return name?.includes('.') ? name.replaceAll(/(?<=^|\.)\d+(?=\.|$)/g, '*') : name;
}

/** @returns one exception for each rule or category and parameter, as the service stores them */
export function exceptionsOf(entry: AuditEntry, values: AllowValues, now: number): InspectionException[] {
  const end = endOf(values.lifetime, now);
  const found = (entry.matches ?? []).map((match): InspectionException => {
    const category = inspectedCategories.find((known) => known === match.category);
    const parameter = values.onlyParameters ? allowedParameter(match) : undefined;
    return {
      ...(values.what === 'categories' && category ? { category } : { rule_id: match.ruleId }),
      ...(values.path === '' ? {} : { path: values.path }),
      ...(parameter === undefined ? {} : { parameter }),
      ...(values.onlyMethod && entry.method ? { method: entry.method } : {}),
      ...(end === undefined ? {} : { expires_at: end }),
      note: values.note.trim(),
    };
  });
  return [...new Map(found.map((one) => [JSON.stringify(one), one])).values()];
}

/** @returns one sentence that says what will no longer be inspected */
export function consequence(entry: AuditEntry, values: AllowValues): string {
  const matches = entry.matches ?? [];
  const byCategory = values.what === 'categories' ? matches.filter(({ category }) => category) : [];
  const byRule = matches.filter((match) => !byCategory.includes(match));
  const categories = byCategory.map(({ category }) => words.allRulesOf(categoryLabel(category ?? '')));
  const rules = unique(byRule.map(({ ruleId }) => ruleId));
  const subjects = [...unique(categories), ...(rules.length > 0 ? [words.rules(rules)] : [])];
  const parameters = unique(matches.map((match) => allowedParameter(match) ?? ''));
  const everywhere = !values.onlyParameters || parameters.includes('');
  return words.consequence({
    subjects: words.listed(subjects),
    where: everywhere ? undefined : words.listed(parameters.map(words.quoted)),
    method: values.onlyMethod ? entry.method : undefined,
    path: values.path,
    site: entry.siteName ?? entry.host ?? '',
    lifetime: values.lifetime === 'never' ? undefined : words.lifetimes[values.lifetime].toLowerCase(),
  });
}

const unique = (texts: string[]): string[] => [...new Set(texts)];
