import type { InspectedRequest } from '../../parse/index.ts';
import { expand } from '../macros/index.ts';
import type { Program, RuleGate, SecRule, TargetMatcher } from '../program/index.ts';
import type { PatternMeter } from '../regex/index.ts';
import {
  type Bits,
  createCollection,
  type Field,
  type InspectedResponse,
  type Phase,
  readEntry,
  readRequest,
  type SubjectCaches,
  type Transaction,
  type TransactionContext,
  writeEntry,
} from '../state/index.ts';
import { findVariable } from '../variables/index.ts';
import type { Intervention, SeclangMatch } from './verdict.ts';

/** One request on its way through a program. */
export interface Run extends Transaction, PatternMeter {
  readonly program: Program;
  readonly gate: RuleGate;
  /** by number of target list: what it yields in this phase */
  lists: (readonly Field[] | undefined)[];
  /** the same, for lists that yield the same in every phase */
  readonly fixedLists: (readonly Field[] | undefined)[];
  /** by group: the rules that may match one of its values */
  groups: (Bits | undefined)[];
  readonly fixedGroups: (Bits | undefined)[];
  /** by name of variable: all its members in this phase */
  readonly variables: Map<string, readonly Field[]>;
  readonly fixedVariables: Map<string, readonly Field[]>;
  /** by ordinal: rules that a rule has switched off */
  removed: Uint8Array | undefined;
  /** by ordinal: values that a rule has taken from another */
  withheld: Map<number, TargetMatcher[]> | undefined;
  /** whether the body is read when phase 2 begins */
  readsBody: boolean;
  /** collections that are kept over requests: name to key */
  readonly opened: Map<string, string>;
  readonly matches: SeclangMatch[];
  /** characters that patterns may still be run on, and steps that they may still take */
  workLeft: number;
  /** milliseconds on the caller's clock at which rules stop looking */
  readonly endsAtMs: number;
  /** a pattern met its bound before it had an answer */
  gaveUp: boolean;
  intervention: Intervention | undefined;
  suppressed: Intervention | undefined;
  /** the last phase that an `allow` lets pass */
  allowedThrough: Phase | 0;
}

/** What a run needs beside the request. */
export interface RunInput {
  readonly request: InspectedRequest;
  readonly response?: InspectedResponse;
  readonly context?: TransactionContext;
  /**
   * bound on the work of one inspection, as the sum of the lengths of texts that patterns are run on and the
   * steps that the costly ones take (default 256 Mi); beyond it rules stop looking and the verdict says so
   */
  readonly maxWork?: number;
  /** bound on its time, where the context has a clock (default 1000 ms); treated alike */
  readonly maxMs?: number;
}

const defaultMaxWork = 256 * 1024 * 1024;
const defaultMaxMs = 1000;

/** A run that has evaluated nothing yet. */
export function startRun(
  program: Program,
  gate: RuleGate,
  subjects: SubjectCaches,
  { request, response, context, maxWork, maxMs = defaultMaxMs }: RunInput,
): Run {
  const run: Run = {
    program,
    gate,
    request,
    response: response && !program.readsResponseBody ? { ...response, body: '' } : response,
    context: context ?? {},
    facts: readRequest(request),
    subjects,
    phase: 1,
    mode: program.mode,
    processor: '',
    forceRequestBody: false,
    body: undefined,
    collections: new Map([['TX', createCollection()]]),
    matched: [],
    lastMatch: undefined,
    rule: undefined,
    highestSeverity: 255,
    lists: [],
    fixedLists: [],
    groups: [],
    fixedGroups: [],
    variables: new Map(),
    fixedVariables: new Map(),
    removed: undefined,
    withheld: undefined,
    readsBody: program.readsBody,
    opened: new Map(),
    matches: [],
    workLeft: maxWork ?? defaultMaxWork,
    endsAtMs: context?.now ? context.now() + maxMs : Infinity,
    gaveUp: false,
    intervention: undefined,
    suppressed: undefined,
    allowedThrough: 0,
    lookup: (variable, key) => lookUp(run, variable, key),
    spend: (steps) => {
      run.workLeft -= steps;
    },
    patternGaveUp: () => {
      run.gaveUp = true;
      const tx = run.collections.get('TX');
      // The name under which ModSecurity's recommended rules look for it.
      if (tx) writeEntry(tx, 'MSC_PCRE_LIMITS_EXCEEDED', '1');
    },
  };
  return run;
}

function lookUp(run: Run, variable: string, key: string | undefined): string {
  const collection = run.collections.get(variable);
  if (collection && key !== undefined)
    return collection.entries.get(key)?.value ?? readEntry(collection, key) ?? '';
  const reader = findVariable(variable);
  if (!reader) return '';
  if (key === undefined) return reader.members(run)[0]?.[1] ?? '';
  if (reader.select) return reader.select(run, key)[0]?.[1] ?? '';
  const lower = key.toLowerCase();
  return reader.members(run).find(([name]) => name.toLowerCase() === lower)?.[1] ?? '';
}

/** Forgets what was read of the request so far, since a new phase or a rule's control shows more of it. */
export function forgetValues(run: Run): void {
  run.lists = [];
  run.groups = [];
  run.variables.clear();
}

/** Notes that a rule and its whole chain matched. */
export function report(run: Run, head: SecRule): void {
  const { facts } = head;
  const { name = '', value = '' } = run.lastMatch ?? {};
  run.matches.push({
    id: head.id,
    phase: run.phase,
    message: expand(facts.message, run),
    data: expand(facts.logData, run),
    tags: facts.tags,
    severity: facts.severity,
    rev: facts.rev,
    ver: facts.ver,
    file: head.file,
    line: head.line,
    target: name,
    value: value.slice(0, 512),
    log: facts.log,
  });
}
