import { type Directive, readDirectives, type SeclangIssue } from '../syntax/index.ts';

/** Rule and data files by name: paths with `/`, relative to the rule set's directory or absolute; text latin1. */
export type RuleFiles = ReadonlyMap<string, string>;

/**
 * Which files to begin with when the caller names none: `crs-setup.conf` (or the example, where an operator
 * has not yet made one), then every other `.conf` file that no Include brings in, by name, as a web server
 * reads `*.conf`.
 */
export function entryFiles(files: RuleFiles): string[] {
  const isSetup = (name: string) => /(?:^|\/)crs-setup\.conf$/.test(name);
  const names = [...files.keys()].sort(byBaseName);
  const setups = names.filter(isSetup);
  const examples = names.filter((name) => name.endsWith('crs-setup.conf.example'));
  const others = names.filter((name) => name.endsWith('.conf') && !isSetup(name));
  const included = new Set(others.flatMap((name) => includesOf(name, files)));
  const setup = setups.length > 0 ? setups : examples.slice(0, 1);
  return [...setup, ...others].filter((name) => !included.has(name));
}

function byBaseName(left: string, right: string): number {
  const [first, second] = [baseName(left), baseName(right)];
  return first < second ? -1 : first > second ? 1 : left < right ? -1 : 1;
}

function includesOf(name: string, files: RuleFiles): string[] {
  return readDirectives(name, files.get(name) ?? '')
    .filter(isInclude)
    .flatMap(({ words }) => matchingFiles(words[0] ?? '', name, files));
}

const isInclude = ({ name }: Directive) => /^include(?:optional)?$/i.test(name);

/** All directives in order, each Include replaced by what it names. */
export function readAll(
  entries: readonly string[],
  files: RuleFiles,
  issues: SeclangIssue[],
): readonly Directive[] {
  const all: Directive[] = [];
  const open = new Set<string>();
  function read(name: string): void {
    open.add(name);
    for (const directive of readDirectives(name, files.get(name) ?? '')) {
      if (isInclude(directive)) follow(directive);
      else all.push(directive);
    }
    open.delete(name);
  }
  function follow(directive: Directive): void {
    const { file, line } = directive;
    const pattern = directive.words[0] ?? '';
    const found = matchingFiles(pattern, file, files);
    if (found.length === 0 && !/[*?]/.test(pattern) && directive.name.toLowerCase() === 'include') {
      issues.push({ file, line, level: 'error', message: `Include: there is no file ${pattern}` });
    }
    for (const name of found) {
      if (open.has(name)) {
        issues.push({ file, line, level: 'error', message: `Include: ${name} includes itself` });
      } else read(name);
    }
  }
  for (const name of entries) read(name);
  return all;
}

function matchingFiles(pattern: string, from: string, files: RuleFiles): string[] {
  const escaped = (path: string) =>
    path
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '[^/]*')
      .replaceAll('?', '[^/]');
  const candidates = [pattern, joinPath(directoryOf(from), pattern), baseName(pattern)];
  for (const candidate of new Set(candidates)) {
    const expression = new RegExp(`^${escaped(candidate)}$`);
    const found = [...files.keys()].filter((name) => expression.test(name)).sort();
    if (found.length > 0) return found;
  }
  return [];
}

/** The text of a data file that a rule names: beside the rule's own file, else wherever a file has that name. */
export function readDataFile(name: string, from: string, files: RuleFiles): string | undefined {
  const beside = files.get(joinPath(directoryOf(from), name)) ?? files.get(name);
  if (beside !== undefined) return beside;
  for (const [path, text] of files) if (baseName(path) === baseName(name)) return text;
  return undefined;
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function directoryOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}

function joinPath(directory: string, name: string): string {
  if (name.startsWith('/') || directory === '') return name.replace(/^\.\//, '');
  const joined: string[] = directory.split('/');
  for (const part of name.split('/')) {
    if (part === '..') joined.pop();
    else if (part !== '.') joined.push(part);
  }
  return joined.join('/');
}
