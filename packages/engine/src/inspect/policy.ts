import type { InspectionLimits } from '../parse/index.ts';
import type { Rule } from '../rules/index.ts';
import type { InspectedCategory, Mode, SecurityLevel, Sensitivity } from '../vocabulary.ts';

/** What an operator chose for one site, before compilation. */
export interface PolicyInput {
  readonly securityLevel: SecurityLevel;
  readonly categories: Readonly<Partial<Record<InspectedCategory, CategoryChoice>>>;
  /** operators' own rules, already compiled to the IR, in order of decision (severity first, then age) */
  readonly customRules?: readonly Rule[];
  readonly exceptions?: readonly Exception[];
  readonly limits?: Partial<InspectionLimits>;
  /** origins (`https://app.example.com`) that may send unsafe requests across sites */
  readonly trustedOrigins?: readonly string[];
  /** methods the site serves; absent: the common ones */
  readonly allowedMethods?: readonly string[];
}

/**
 * A finding that the operator judged harmless. Every condition that is set must hold; the rest of the request is
 * inspected as ever.
 */
export interface Exception {
  /** one rule, or every rule of a category; at least one of the two */
  readonly ruleId?: string | undefined;
  readonly category?: InspectedCategory | undefined;
  /** the request's path: exact, or a prefix that ends in `*`; a segment that is `*` stands for any one segment */
  readonly path?: string | undefined;
  /** the parameter, header or cookie the value stands in, as explanations show it without the part: `items.0.name`; `*` stands for one part: `items.*.name` */
  readonly parameter?: string | undefined;
  readonly method?: string | undefined;
  /** milliseconds since the epoch; without a time from the caller an exception with an expiry does not hold */
  readonly expiresAtMs?: number | undefined;
}

/** Whether an exception is about a rule, wherever it holds. One that names neither rule nor category is about none. */
export function coversRule({ ruleId, category }: Exception, rule: Rule): boolean {
  return (
    (ruleId !== undefined || category !== undefined) &&
    (ruleId === undefined || ruleId === rule.id) &&
    (category === undefined || category === rule.category)
  );
}

/** Whether an exception has not expired. */
export function holdsAt({ expiresAtMs }: Exception, nowMs: number | undefined): boolean {
  return expiresAtMs === undefined || (nowMs !== undefined && nowMs < expiresAtMs);
}

export interface CategoryChoice {
  readonly enabled: boolean;
  readonly mode: Mode;
  readonly sensitivity: Sensitivity;
}
