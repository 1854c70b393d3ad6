import type { ParsedRequest, Part } from '../parse/index.ts';
import type { LinearPattern } from '../pattern/index.ts';
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
  /**
   * Applied in order before the operator looks. `unfold` stands first if at all: the operator then sees the
   * value and every text that decoding it, in bounded rounds, leads to.
   */
  readonly transformations: readonly string[];
  readonly operator: Operator;
  /** absent on an operator's own rule that belongs to no category */
  readonly category?: InspectedCategory;
  readonly severity: Severity;
  /** what a match adds to its category's anomaly score, once a request */
  readonly score: number;
  /** the least sensitivity at which the rule runs: a `low` rule runs always, a `high` one only at high */
  readonly sensitivity: Sensitivity;
  /** what a value must hold before the operator can match; absent: taken from the pattern, else it always runs */
  readonly gate?: Gate;
  /** set on custom rules, which decide at once instead of adding up */
  readonly verdict?: {
    readonly action: RuleAction;
    readonly location?: string;
    /** of `allow`: nobody is to be told */
    readonly silent?: boolean;
  };
}

/** A part of the request. `name` narrows it to one parameter, header or cookie; `not` leaves some out. */
export interface Target {
  readonly part: Part;
  /** lower case for headers */
  readonly name?: string;
  readonly not?: readonly string[];
  /** narrows it to names, or paths in JSON (`user.email`), that match */
  readonly path?: RegExp;
  /** leaves out names and paths that match */
  readonly notPath?: RegExp;
  /** names that the client chose, the values under them, or (absent) both */
  readonly of?: 'names' | 'values';
}

/**
 * What decides on a transformed value. Every kind is total and linear in its input, or capped.
 */
export type Operator =
  | { readonly kind: 'pattern'; readonly pattern: RegExp }
  | { readonly kind: 'linear'; readonly pattern: LinearPattern }
  | { readonly kind: 'compare'; readonly comparison: Comparison; readonly value: string }
  /** one kind of finding of a detector that may make several */
  | { readonly kind: 'detect'; readonly detector: Detector; readonly finding: string }
  /** looks at the request as a whole instead of at values */
  | { readonly kind: 'structure'; readonly check: StructureCheck }
  | { readonly kind: 'combine'; readonly combinator: Combinator; readonly parts: readonly Condition[] };

export type Comparison = 'equals' | 'contains' | 'starts_with' | 'ends_with' | 'cidr';

/** A tokenizer-based judgement of a text. Run once a text, whatever number of rules ask for its findings. */
export interface Detector {
  readonly name: string;
  readonly gate: Gate;
  /** total and linear; empty when the text is harmless */
  readonly detect: (text: string) => readonly Finding[];
}

export interface Finding {
  readonly kind: string;
  /** offsets into the text, [start, end) */
  readonly span: readonly [start: number, end: number];
}

/** What a structure check may know of the site. */
export interface SiteFacts {
  readonly trustedOrigins: readonly string[];
  readonly allowedMethods: readonly string[];
  readonly method: string;
  readonly scheme: 'http' | 'https';
  readonly target: string;
  readonly httpVersion: string;
}

/** Where a structure check found something: the target as explanations show it, and the text to show. */
export interface StructureFinding {
  readonly target: string;
  readonly value: string;
}

export type StructureCheck = (request: ParsedRequest, facts: SiteFacts) => StructureFinding | undefined;

/** One leg of a combined rule: the same target and operator, without a verdict of its own. */
export interface Condition {
  readonly targets: readonly Target[];
  readonly transformations: readonly string[];
  readonly operator: Operator;
  /** true when the condition holds exactly if nothing matches */
  readonly negate?: boolean;
}

/**
 * What a value must hold before it is worth a look: what any match of `pattern` holds, and of each clause of
 * `allOf` at least one literal (any case).
 */
export interface Gate {
  readonly pattern?: RegExp;
  readonly allOf: readonly (readonly string[])[];
}
