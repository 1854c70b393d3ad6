import { compileBounded, requiredLiterals } from '../../pattern/index.ts';
import { translatePcre } from './translate.ts';

/** A pattern of a rule. No text can make it take more than a bounded number of steps. */
export interface SafePattern {
  /**
   * @returns the whole match and the pattern's own groups, empty where one took no part; undefined without a
   * match, and where the bound was reached, of which the meter is told
   */
  readonly exec: (text: string, meter?: PatternMeter) => readonly string[] | undefined;
  readonly test: (text: string) => boolean;
  /** what any match must hold: of each clause at least one of its lower-case literals, in any case */
  readonly required: readonly (readonly string[])[];
}

/** Who counts the work of patterns. */
export interface PatternMeter {
  readonly spend?: (steps: number) => void;
  /** a pattern gave up */
  readonly patternGaveUp?: () => void;
}

export type SafePatternOutcome =
  | { readonly ok: true; readonly pattern: SafePattern }
  | { readonly ok: false; readonly reason: string };

/**
 * Makes a PCRE pattern ready to run on what clients send. V8 runs it on texts so short that even the worst of them
 * is done in a million steps, which is worked out from the pattern; on longer ones, and always where a pattern
 * can take time that doubles with each byte, our own matcher does, which has a bound. Never throws.
 * @param caseless whether letters match either case from the start
 */
export function compilePcre(source: string, caseless = false): SafePatternOutcome {
  const translation = translatePcre(source, caseless);
  if (!translation.ok) return translation;
  const { regex, groups } = translation.pattern;
  const compiled = compileBounded(regex.source, { ignoreCase: regex.ignoreCase, dotAll: true });
  if (!compiled.ok) return { ok: false, reason: `${compiled.reason}, so its time has no bound` };
  const bounded = compiled.pattern;
  const exec = (text: string, meter?: PatternMeter): readonly string[] | undefined => {
    const match =
      text.length <= bounded.backtrackingReach ? regex.exec(text) : bounded.exec(text, meter?.spend);
    if (match === 'exceeded') meter?.patternGaveUp?.();
    if (!match || match === 'exceeded') return undefined;
    return groups.map((index) => match[index] ?? '');
  };
  const pattern = {
    exec,
    test: (text: string) => exec(text) !== undefined,
    required: requiredLiterals(regex),
  };
  return { ok: true, pattern };
}
