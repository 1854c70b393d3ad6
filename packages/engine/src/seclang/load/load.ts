import { type Program, type RuleGate, requiredBy } from '../program/index.ts';
import { createSubjectCaches, type SubjectCaches } from '../state/index.ts';
import type { SeclangIssue } from '../syntax/index.ts';
import { compileProgram } from './compile.ts';
import { configure } from './configure.ts';
import { entryFiles, type RuleFiles, readAll } from './files.ts';

/** A rule set that is ready to inspect requests, and what was found while reading it. */
export interface SeclangRules {
  readonly program: Program;
  readonly gate: RuleGate;
  readonly subjects: SubjectCaches;
  /** in order of appearance */
  readonly issues: readonly SeclangIssue[];
  readonly counts: SeclangCounts;
}

export interface SeclangCounts {
  readonly files: number;
  readonly directives: number;
  /** rules that run, a chain counted once */
  readonly rules: number;
  /** of those, how many are looked at only where their literals occur */
  readonly gated: number;
}

export interface LoadOptions {
  /** where to begin; by default `crs-setup.conf` and every `.conf` file, as a web server would include them */
  readonly entries?: readonly string[];
}

/**
 * Reads a ModSecurity rule set, for example an unmodified OWASP Core Rule Set directory. Never throws: what is
 * not understood is left out and stands among the issues, with file and line.
 * @param files rule and data files by name; their text latin1, one char one byte
 * @see ModSecurity Reference Manual, version 2.x and 3.x
 */
export function loadSeclang(files: RuleFiles, options: LoadOptions = {}): SeclangRules {
  const issues: SeclangIssue[] = [];
  const entries = options.entries ?? entryFiles(files);
  const directives = readAll(entries, files, issues);
  const configuration = configure(directives, issues);
  const { program, gate } = compileProgram(configuration, files);
  const heads = program.phases.flat();
  return {
    program,
    gate,
    subjects: createSubjectCaches(),
    issues,
    counts: {
      files: new Set(directives.map(({ file }) => file)).size,
      directives: directives.length,
      rules: heads.length,
      gated: heads.filter((rule) => rule.gateBit >= 0 && requiredBy(rule).length > 0).length,
    },
  };
}
