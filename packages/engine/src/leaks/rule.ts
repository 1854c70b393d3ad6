import type { LeakKind, Severity } from '../vocabulary.ts';

/** How one thing that an answer should not show is recognised. */
export interface LeakRule {
  readonly id: string;
  readonly kind: LeakKind;
  readonly severity: Severity;
  /** what was found, in words for an operator */
  readonly message: string;
  /** stands in every text that the pattern matches: looked for first, for almost no answer holds it */
  readonly literal: string;
  /** linear: bounded repeats, no two of which can share text */
  readonly pattern: RegExp;
  /** the find itself is a secret and must not stand in a log; only the literal is told */
  readonly secret?: true;
}
