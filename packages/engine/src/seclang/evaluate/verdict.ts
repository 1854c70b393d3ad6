import type { Phase } from '../state/index.ts';

/** One rule that matched. */
export interface SeclangMatch {
  readonly id: number;
  readonly phase: Phase;
  readonly message: string;
  readonly data: string;
  readonly tags: readonly string[];
  /** `CRITICAL`; empty when the rule names none */
  readonly severity: string;
  readonly rev: string;
  readonly ver: string;
  readonly file: string;
  readonly line: number;
  /** the last value that matched: `ARGS:id` */
  readonly target: string;
  /** it, after transformations, latin1, cut to 512 characters */
  readonly value: string;
  /** false on rules marked `nolog`, which are bookkeeping */
  readonly log: boolean;
}

/** What stops a request, and by which rule. */
export interface Intervention {
  readonly kind: 'deny' | 'drop' | 'redirect';
  readonly status: number;
  readonly location?: string;
  readonly ruleId: number;
  readonly phase: Phase;
}

/** What a rule set says of a request, and of its response when there was one. */
export interface SeclangVerdict {
  /** absent when the request may pass */
  readonly intervention?: Intervention;
  /** what would have stopped it, had the engine not been set to detection only */
  readonly suppressed?: Intervention;
  /** set when a bound on work or time was reached before all rules had looked; the caller applies its stated mode */
  readonly overBudget?: true;
  /** in order of evaluation */
  readonly matches: readonly SeclangMatch[];
  /** what a variable of TX holds at the end (a score, a threshold, the paranoia level), by name in any case */
  readonly variable: (name: string) => string | undefined;
}
