import type { RuleTestOutcome, TriedRequest } from '../protection/index.ts';
import type { GatewaySite } from './snapshot.ts';

/** What the thread that tries requests is asked, one at a time. */
export interface TrialTask {
  readonly site: GatewaySite;
  readonly request: TriedRequest;
  /** Unix milliseconds, which decide the exceptions that still hold */
  readonly nowMs: number;
}

/** What it answers; `problem` is a sentence, where a rule of the site cannot be compiled. */
export type TrialReply = { readonly outcome: RuleTestOutcome } | { readonly problem: string };
