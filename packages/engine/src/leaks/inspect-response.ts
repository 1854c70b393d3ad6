import type { LeakKind, Severity } from '../vocabulary.ts';
import { directoryListings } from './directory-listings.ts';
import { privateKeys } from './private-keys.ts';
import type { LeakRule } from './rule.ts';
import { sourceCode } from './source-code.ts';
import { sqlErrors } from './sql-errors.ts';
import { stackTraces } from './stack-traces.ts';

/** The worst first: one finding decides. */
export const leakRules: readonly LeakRule[] = [
  ...privateKeys,
  ...sourceCode,
  ...sqlErrors,
  ...stackTraces,
  ...directoryListings,
];

/** Something in an answer that its reader should not see. */
export interface Leak {
  readonly kind: LeakKind;
  readonly ruleId: string;
  /** what was found, in plain words: 'MySQL syntax error' */
  readonly message: string;
  readonly severity: Severity;
  /** the text around the find, latin1, 512 characters at most; of a secret no more than what names it */
  readonly value: string;
  /** the find as offsets into `value`: [start, end) */
  readonly span: readonly [start: number, end: number];
}

const shownBefore = 64;
const shownInAll = 512;

function leakOf(rule: LeakRule, text: string, found: RegExpExecArray): Leak {
  const { kind, id: ruleId, message, severity } = rule;
  if (rule.secret) {
    const value = rule.literal.slice(0, shownInAll);
    return { kind, ruleId, message, severity, value, span: [0, value.length] };
  }
  const start = Math.max(0, found.index - shownBefore);
  const value = text.slice(start, start + shownInAll);
  const from = found.index - start;
  return {
    kind,
    ruleId,
    message,
    severity,
    value,
    span: [from, Math.min(from + found[0].length, value.length)],
  };
}

/**
 * Looks for what an answer should not show.
 * @param text the beginning of an answer's body, decoded from its content coding, latin1
 * @param kinds what the site looks for
 * @returns the first find of the worst kind; undefined where there is none. Never throws; linear in the text
 */
export function inspectResponse(text: string, kinds: ReadonlySet<LeakKind>): Leak | undefined {
  for (const rule of leakRules) {
    if (!kinds.has(rule.kind) || !text.includes(rule.literal)) continue;
    const found = rule.pattern.exec(text);
    if (found !== null) return leakOf(rule, text, found);
  }
  return undefined;
}
