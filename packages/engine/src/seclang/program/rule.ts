import type { Template } from '../macros/index.ts';
import type { Operator } from '../operators/index.ts';
import type { Chain, CurrentRule, EngineMode, Phase } from '../state/index.ts';
import type { Effect } from './effect.ts';
import type { CompiledTargets } from './targets.ts';

/** One SecRule or SecAction, or one link of a chain, ready to run. */
export interface SecRule {
  /** place among all rules of the program, links included */
  readonly ordinal: number;
  /** 0 on the links of a chain, which share the head's */
  readonly id: number;
  readonly phase: Phase;
  readonly file: string;
  readonly line: number;
  /** absent on a SecAction, which matches always */
  readonly targets?: CompiledTargets;
  readonly chain: Chain;
  readonly multiMatch: boolean;
  readonly operator: Operator;
  readonly capture: boolean;
  /** run each time the rule itself matches a value, whatever its chain does later */
  readonly effects: readonly Effect[];
  readonly next?: SecRule;
  readonly facts: RuleFacts;
  /** what RULE and %{rule.msg} say while it is evaluated; a link says what its head does */
  readonly current: CurrentRule;
  readonly disruption: Disruption;
  /** where evaluation goes on after a match: an index into the phase's rules; absent: the next one */
  readonly jump?: number;
  /** bit in a subject's gates, or -1 where the rule must look at every value */
  readonly gateBit: number;
  /** rules of one group look at the same values, so one look at the gates serves them all; -1 without */
  readonly group: number;
}

/** What a rule says of itself. */
export interface RuleFacts {
  readonly message: Template;
  readonly logData: Template;
  readonly tags: readonly string[];
  readonly severity: string;
  readonly rev: string;
  readonly ver: string;
  /** false: the match is not reported */
  readonly log: boolean;
}

/** What a rule does to the request once its whole chain has matched. */
export type Disruption =
  | { readonly kind: 'pass' }
  | { readonly kind: 'deny' | 'drop'; readonly status: number }
  | { readonly kind: 'redirect'; readonly status: number; readonly location: Template }
  | { readonly kind: 'allow'; readonly scope: 'transaction' | 'phase' | 'request' };

/** A rule set, compiled. Immutable but for its caches; serves any number of requests. */
export interface Program {
  /** heads by phase; index 0 is empty */
  readonly phases: readonly (readonly SecRule[])[];
  /** every rule and link by ordinal */
  readonly rules: readonly SecRule[];

  readonly mode: EngineMode;
  readonly readsBody: boolean;
  readonly readsResponseBody: boolean;
  /** seconds after its last change that a kept collection is forgotten */
  readonly collectionTimeout: number;
}
