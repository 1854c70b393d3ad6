import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { loadSeclang, type SeclangIssue } from '@portcullis/engine/seclang';

/** What loading a directory of ModSecurity rules brought to light. */
export interface SeclangCheck {
  readonly files: number;
  readonly directives: number;
  readonly rules: number;
  readonly errors: readonly SeclangIssue[];
  /** what loads, but has no effect here or another one */
  readonly notices: readonly SeclangIssue[];
}

/**
 * Loads a rule set as `portcullis check --seclang DIR` asks for, and says what of it does not load. The
 * directory is one that was unpacked from a release of the Core Rule Set, or any other with `.conf` files.
 * Rejects when the directory can't be read.
 */
export async function checkSeclang(directory: string): Promise<SeclangCheck> {
  const { counts, issues } = loadSeclang(await readRuleFiles(directory));
  return {
    files: counts.files,
    directives: counts.directives,
    rules: counts.rules,
    errors: issues.filter(({ level }) => level === 'error'),
    notices: issues.filter(({ level }) => level === 'notice'),
  };
}

/** The check in lines for a terminal: a summary first, then each finding as `file:line`. */
export function describeSeclang(check: SeclangCheck): string[] {
  const { files, directives, rules, errors, notices } = check;
  const found = [...errors, ...notices].map(
    ({ file, line, level, message }) => `${level.padEnd(6)} ${file}:${line}  ${message}`,
  );
  return [
    `${rules} rules from ${directives} directives in ${files} files; ${errors.length} not supported, ${notices.length} without effect here.`,
    ...found,
  ];
}

/** Rule and data files below a directory, by path relative to it; read as latin1, one char one byte. */
async function readRuleFiles(directory: string): Promise<Map<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => !entry.isDirectory() && /\.(?:conf|data|example|txt)$/.test(entry.name))
    // Test and documentation folders of a release hold nothing that a server would include.
    .map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)))
    .filter((name) => !/^(?:tests?|docs?|util)[\\/]/.test(name));
  const files = new Map<string, string>();
  for (const name of names.sort()) {
    files.set(name.replaceAll(path.sep, '/'), await readFile(path.join(directory, name), 'latin1'));
  }
  return files;
}
