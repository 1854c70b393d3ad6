import type { Rule } from '../rules/index.ts';
import type { InspectedCategory, Mode, SecurityLevel, Sensitivity } from '../vocabulary.ts';

/** What an operator chose for one site, before compilation. */
export interface PolicyInput {
  readonly securityLevel: SecurityLevel;
  readonly categories: Readonly<Partial<Record<InspectedCategory, CategoryChoice>>>;
  /** operators' own rules, already compiled to the IR, in order of decision (severity first, then age) */
  readonly customRules?: readonly Rule[];
  readonly limits?: Partial<InspectionLimits>;
}

export interface CategoryChoice {
  readonly enabled: boolean;
  readonly mode: Mode;
  readonly sensitivity: Sensitivity;
}

/** Bounds on what one request may make the engine do. What exceeds one is kept, counted and reported. */
export interface InspectionLimits {
  readonly maxBodyBytes: number;
  readonly maxArguments: number;
  readonly maxHeaders: number;
  readonly maxParts: number;
  readonly maxValueBytes: number;
  readonly maxDepth: number;
}
