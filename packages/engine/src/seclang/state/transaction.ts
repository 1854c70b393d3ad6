import type { HeaderField, InspectedRequest } from '../../parse/index.ts';
import type { ParsedBody } from '../body/index.ts';
import type { MacroSource } from '../macros/index.ts';
import type { Collection } from './collection.ts';
import type { KeptCollections } from './kept-collections.ts';
import type { BodyProcessor, RequestFacts } from './request-facts.ts';
import type { Subject, SubjectCaches } from './subject.ts';

/** 1 request head, 2 request body, 3 response head, 4 response body, 5 logging. */
export type Phase = 1 | 2 | 3 | 4 | 5;

/** A response as rules of phases 3 and 4 read it. All text is latin1. */
export interface InspectedResponse {
  readonly status: number;
  readonly headers: readonly HeaderField[];
  /** the inspection prefix, content codings taken off */
  readonly body?: Uint8Array | string;
}

/** What the engine can't know by itself, having no clock and no socket. */
export interface TransactionContext {
  /** milliseconds since 1970 at the start of the request */
  readonly startedAtMs?: number;
  /** milliseconds since 1970 */
  readonly now?: () => number;
  /** minutes east of UTC, for the TIME variables */
  readonly utcOffsetMinutes?: number;
  readonly uniqueId?: string;
  readonly clientPort?: number;
  readonly serverAddress?: string;
  readonly serverPort?: number;
  readonly environment?: Readonly<Record<string, string>>;
  /** what rules remember over requests; without it, or without a clock, they remember for one */
  readonly kept?: KeptCollections;
}

/** One value that a rule looks at. */
export interface Field {
  /** upper case: `ARGS` */
  readonly variable: string;
  /** as sent: the parameter's name; empty for variables that have one value only */
  readonly key: string;
  readonly subject: Subject;
}

/** `ARGS:id`, as MATCHED_VAR_NAME says it. */
export function fieldName({ variable, key }: Field): string {
  return key === '' ? variable : `${variable}:${key}`;
}

export type EngineMode = 'on' | 'detection-only' | 'off';

/** The rule that is being evaluated, for RULE and %{rule.msg}. */
export interface CurrentRule {
  readonly id: number;
  readonly severity: string;
  readonly rev: string;
  readonly message: (macros: MacroSource) => string;
  readonly logData: (macros: MacroSource) => string;
}

/** Everything that is known and decided while one request goes through the phases. */
export interface Transaction extends MacroSource {
  readonly request: InspectedRequest;
  readonly response: InspectedResponse | undefined;
  readonly context: TransactionContext;
  readonly facts: RequestFacts;
  readonly subjects: SubjectCaches;
  phase: Phase;
  mode: EngineMode;
  /** as asked for by a rule, else chosen by the content type when phase 2 begins */
  processor: BodyProcessor;
  forceRequestBody: boolean;
  /** from phase 2 on */
  body: ParsedBody | undefined;
  /** by name of variable in upper case: TX, and those of IP, GLOBAL, … that a rule has opened */
  readonly collections: Map<string, Collection>;
  /** what the last rule that matched had matched */
  matched: readonly Matched[];
  /** what `%{MATCHED_VAR}` says now */
  lastMatch: Matched | undefined;
  rule: CurrentRule | undefined;
  highestSeverity: number;
}

export interface Matched {
  readonly name: string;
  /** after transformations */
  readonly value: string;
}
