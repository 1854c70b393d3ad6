import type { InspectedCategory, RuleAction, Sensitivity, Severity } from '../vocabulary.ts';

/** Why one rule matched, complete enough to be judged without the request. */
export interface Match {
  readonly ruleId: string;
  /** one sentence in plain words: 'SQL injection: UNION SELECT' */
  readonly message: string;
  /** absent on operators' custom rules that belong to no category */
  readonly category?: InspectedCategory;
  readonly severity: Severity;
  readonly score: number;
  /** the part of the request, for example `query:id`, `header:referer`, `json:items.0.name`, `path` */
  readonly target: string;
  /** the value after `transformations`, latin1, cut around the span to 512 characters at most */
  readonly value: string;
  /** matched bytes as offsets into `value`: [start, end) */
  readonly span: readonly [start: number, end: number];
  /** decoders applied to the raw value, in order: `['urlDecode', 'urlDecode', 'htmlEntityDecode']` */
  readonly transformations: readonly string[];
}

/** How much a category's matches had to weigh, and how much they did. */
export interface Reached {
  /** of the category's own matches */
  readonly score: number;
  /** from this on the category acts */
  readonly threshold: number;
  /** that sets the threshold; the one in force, after the site's security level */
  readonly sensitivity: Sensitivity;
}

/** What the engine says of a request. It never throws; a budget overrun is a verdict like any other. */
export interface Verdict {
  readonly decision: 'pass' | RuleAction;
  /** where a `redirect` goes */
  readonly location?: string;
  /** set where an operator's rule allowed the request and nobody is to be told of it */
  readonly silent?: boolean;
  /** the rule or category that decided; absent on `pass` */
  readonly decidedBy?: { readonly ruleId?: string; readonly category?: InspectedCategory };
  /** what the category that decided reached; absent where none did */
  readonly reached?: Reached;
  /** the sum over all categories */
  readonly score: number;
  readonly scores: Readonly<Partial<Record<InspectedCategory, number>>>;
  /** every match, decisive or not; empty on a clean request */
  readonly matches: readonly Match[];
  /** set when the work budget ran out before all rules had run; the caller applies the site's stated mode */
  readonly overBudget?: boolean;
  /** what of the body nobody looked at; the caller applies the site's stated mode */
  readonly unread?: Unread;
}

/** Why a part of the body was not read: longer than the limit; the same once decompressed; or coded in no known way. */
export type Unread = 'oversize' | 'inflated' | 'undecoded';
