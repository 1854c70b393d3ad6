import type { MacroSource } from '../macros/index.ts';
import type { PatternMeter } from '../regex/index.ts';

/** What an operator found: the matched text first, then the groups of its pattern; empty when it has no text. */
export type Found = readonly string[];

/** What an operator may ask of the request it is run for. */
export interface OperatorContext extends MacroSource, PatternMeter {}

/** A rule's test, ready to run on a transformed value. Total: it never throws. */
export interface Operator {
  /** as rules spell it, in lower case and without `@` */
  readonly name: string;
  readonly negated: boolean;
  /** whether the text satisfies it; the negation is applied by the caller */
  readonly test: (text: string, context: OperatorContext) => Found | undefined;
  /**
   * What any text that satisfies `test` must hold: of each clause at least one of its lower-case literals, in
   * any case. Absent where nothing is known.
   */
  readonly required?: readonly (readonly string[])[];
  /** its argument holds no macro, so it says the same of a text in every request */
  readonly constant: boolean;
}

/** What an operator may need beside its argument while the rules are loaded. */
export interface OperatorFiles {
  /** the text of a data file named in a rule, or undefined when there is none of that name */
  readonly read: (name: string) => string | undefined;
}

export type BuiltTest = Pick<Operator, 'test' | 'required'>;

export type Built =
  | { readonly ok: true; readonly built: BuiltTest; readonly notice?: string }
  | { readonly ok: false; readonly reason: string };

/** Makes one kind of operator from the argument in the rule. */
export type Build = (argument: string, files: OperatorFiles) => Built;

/** A match of the whole text. */
export const whole = (text: string): Found => [text];

export const built = (test: BuiltTest['test'], required?: BuiltTest['required']): Built => ({
  ok: true,
  built: required ? { test, required } : { test },
});

export const refused = (reason: string): Built => ({ ok: false, reason });
