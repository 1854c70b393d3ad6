import type { Detector, Rule } from '../rules/index.ts';

/** What runs on one text: a rule's pattern, or a detector that several rules share. */
export interface Unit {
  readonly index: number;
  /** bits of {@link partBit} and {@link roleBits} */
  readonly parts: number;
  readonly roles: number;
  /** bits of the parts of which it wants some names only */
  readonly namedParts: number;
  readonly detector?: Detector;
  /** the rules, by finding for a detector */
  readonly rules: readonly Rule[];
}

/** One way in which a text may need a unit: the class under which this stands, and all of `others`, are hit. */
export interface Opening {
  readonly unit: Unit;
  readonly others: readonly number[];
}
