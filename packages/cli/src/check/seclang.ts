import { readdir, readFile, stat } from 'node:fs/promises';
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
  /** what the rules as a whole lack, in a sentence each */
  readonly advice: readonly string[];
}

/**
 * Loads a rule set as `portcullis check --seclang DIR` asks for, and says what of it does not load. The
 * directory is one that was unpacked from a release of the Core Rule Set, or any other with `.conf` files.
 * Rejects when the directory can't be read.
 */
export async function checkSeclang(directory: string): Promise<SeclangCheck> {
  const unread: SeclangIssue[] = [];
  const files = await readRuleFiles(directory, unread);
  const { counts, issues, program } = loadSeclang(files);
  const all = [...unread, ...issues];
  const asks = (variable: string) =>
    program.rules.some(({ targets }) => targets?.include.some((one) => one.variable === variable) ?? false);
  const advice: string[] = [];
  if (program.rules.some(({ id }) => id === 901001) && !hasSetup(files)) {
    advice.push('There is no crs-setup.conf, without which rule 901001 refuses every request.');
  }
  if (counts.rules > 0 && !asks('REQBODY_ERROR')) {
    advice.push(
      'No rule asks for REQBODY_ERROR, so a body that can not be parsed passes, as far as it was not read.',
    );
  }
  return {
    files: counts.files,
    directives: counts.directives,
    rules: counts.rules,
    errors: all.filter(({ level }) => level === 'error'),
    notices: all.filter(({ level }) => level === 'notice'),
    advice,
  };
}

/** The check in lines for a terminal: a summary first, then each finding as `file:line`. */
export function describeSeclang(check: SeclangCheck): string[] {
  const { files, directives, rules, errors, notices, advice } = check;
  const found = [...errors, ...notices].map(
    ({ file, line, level, message }) => `${level.padEnd(6)} ${file}:${line}  ${message}`,
  );
  return [
    `${rules} rules from ${directives} directives in ${files} files; ${errors.length} not supported, ${notices.length} without effect here.`,
    ...found,
    ...advice,
  ];
}

const hasSetup = (files: ReadonlyMap<string, string>) =>
  [...files.keys()].some((name) => /(?:^|\/)crs-setup\.conf(?:\.example)?$/.test(name));

/** Larger is no rule file. */
const maxFileBytes = 32 * 1024 * 1024;

/**
 * Rule and data files below a directory, by path relative to it; read as latin1, one char one byte. A link counts as
 * what it leads to; what is no readable file becomes an issue.
 */
async function readRuleFiles(directory: string, unread: SeclangIssue[]): Promise<Map<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => !entry.isDirectory() && /\.(?:conf|data|example|txt)$/.test(entry.name))
    // Test and documentation folders of a release hold nothing that a server would include.
    .map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)))
    .filter((name) => !/^(?:tests?|docs?|util)[\\/]/.test(name));
  const files = new Map<string, string>();
  for (const name of names.sort()) {
    const file = name.replaceAll(path.sep, '/');
    const read = await readRuleFile(path.join(directory, name));
    if (read.ok) files.set(file, read.text);
    else unread.push({ file, line: 1, level: 'error', message: read.reason });
  }
  return files;
}

type ReadFile =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string };

async function readRuleFile(file: string): Promise<ReadFile> {
  try {
    const { size, isFile } = await stat(file).then((found) => ({ size: found.size, isFile: found.isFile() }));
    if (!isFile) return { ok: false, reason: 'it is no file' };
    if (size > maxFileBytes) return { ok: false, reason: `it is larger than ${maxFileBytes} bytes` };
    return { ok: true, text: await readFile(file, 'latin1') };
  } catch (error) {
    return {
      ok: false,
      reason: `it can't be read: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}
