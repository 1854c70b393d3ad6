import type { Combinator, InspectedCategory, RuleAction, Sensitivity, Severity } from '../vocabulary.ts';

/**
 * The one form of a rule. Our detectors, operators' custom rules and SecLang all compile to it, and the
 * inspector runs nothing else.
 */
export interface Rule {
  readonly id: string;
  /** one sentence in plain words, shown to the operator */
  readonly message: string;
  /** 1 once the head is there, 2 once the inspected part of the body is, 3 and 4 the same of the response */
  readonly phase: 1 | 2 | 3 | 4;
  readonly targets: readonly Target[];
  /** applied in order before the operator looks; chains are shared and cached on the value */
  readonly transformations: readonly TransformationName[];
  readonly operator: Operator;
  /** absent on an operator's own rule that belongs to no category */
  readonly category?: InspectedCategory;
  readonly severity: Severity;
  /** what a match adds to its category's anomaly score */
  readonly score: number;
  /** the least sensitivity at which the rule runs: a `low` rule runs always, a `high` one only at high */
  readonly sensitivity: Sensitivity;
  /** literals of which one must occur in a value before the operator can match; absent: it always runs */
  readonly gate?: Gate;
  /** set on custom rules, which decide at once instead of adding up */
  readonly verdict?: { readonly action: RuleAction; readonly location?: string };
}

/**
 * A part of the request. `name` narrows it to one parameter, header or cookie; `not` leaves some out.
 */
export interface Target {
  readonly part: Part;
  readonly name?: string;
  readonly not?: readonly string[];
}

export const parts = [
  'method',
  'path',
  'target',
  'query',
  'header',
  'cookie',
  'form',
  'json',
  'xml',
  'multipart',
  'file',
  'body',
  'ip',
] as const;
export type Part = (typeof parts)[number];

/** Names from the field's common vocabulary (ModSecurity's `t:` names, without the prefix). */
export type TransformationName = string;

/**
 * What decides on a transformed value. `detect` is a tokenizer-based detector: it returns the span it matched.
 * Every kind is total and linear in its input, or capped.
 */
export type Operator =
  | { readonly kind: 'pattern'; readonly pattern: RegExp }
  | { readonly kind: 'phrases'; readonly phrases: readonly string[] }
  | {
      readonly kind: 'compare';
      readonly comparison: Comparison;
      readonly value: string;
      readonly negate?: boolean;
    }
  | {
      readonly kind: 'detect';
      readonly detect: (value: string) => readonly [start: number, end: number] | undefined;
    }
  | { readonly kind: 'combine'; readonly combinator: Combinator; readonly parts: readonly Condition[] };

export type Comparison = 'equals' | 'contains' | 'starts_with' | 'ends_with' | 'cidr';

/** One leg of a combined rule: the same target, transformation and operator, without a verdict of its own. */
export interface Condition {
  readonly targets: readonly Target[];
  readonly transformations: readonly TransformationName[];
  readonly operator: Operator;
}

export interface Gate {
  /** lower-case literals; a rule runs only on a value that holds at least one of them */
  readonly anyOf: readonly string[];
}
