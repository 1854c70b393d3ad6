import type { Flags } from './flags.ts';

/** A pattern while it is being translated. */
export interface Reader {
  readonly source: string;
  at: number;
  flags: Flags;
  /** the whole RegExp carries `i`, so letters need not be spelt in both cases */
  readonly foldNatively: boolean;
  /** the pattern's own capturing groups so far */
  groups: number;
  /** groups added for atomic parts so far */
  atoms: number;
  /** groups are named, because something refers to them */
  readonly named: boolean;
  readonly names: Map<string, number>;
  depth: number;
}

/** Thrown inside the translator only, and turned into a value at its door. */
export class Untranslatable extends Error {}

/**
 * Thrown inside the translator only: what the RegExp's own `i` folds is not what PCRE folds here, since V8 knows the
 * letters of Latin-1 and PCRE those of ASCII. The pattern is then read again, with letters spelt in both cases.
 */
export class FoldsOtherwise extends Error {}
