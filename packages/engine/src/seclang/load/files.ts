import { compileLinear } from '../../pattern/index.ts';
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

/** Files that bring one another in deeper, or more often, than this do not end. */
const maxDepth = 50;
const maxReads = 1000;
const maxDirectives = 200_000;

/** All directives in order, each Include replaced by what it names. */
export function readAll(
  entries: readonly string[],
  files: RuleFiles,
  issues: SeclangIssue[],
): readonly Directive[] {
  const all: Directive[] = [];
  const open = new Set<string>();
  let reads = 0;
  function read(name: string): void {
    open.add(name);
    reads += 1;
    for (const directive of readDirectives(name, files.get(name) ?? '')) {
      if (all.length >= maxDirectives) {
        const message = `there are more than ${maxDirectives} directives; the rest is not read`;
        if (all.length === maxDirectives) issues.push({ ...placeOf(directive), level: 'error', message });
        break;
      }
      if (isInclude(directive)) follow(directive);
      else all.push(directive);
    }
    open.delete(name);
  }
  function follow(directive: Directive): void {
    const refuse = (message: string) =>
      void issues.push({ ...placeOf(directive), level: 'error', message: `Include: ${message}` });
    const pattern = directive.words[0] ?? '';
    const found = matchingFiles(pattern, directive.file, files);
    if (found.length === 0 && directive.name.toLowerCase() === 'include') {
      refuse(`there is no file ${pattern}`);
    }
    for (const name of found) {
      if (open.has(name)) refuse(`${name} includes itself`);
      else if (open.size >= maxDepth) refuse(`${name} is included deeper than ${maxDepth} files`);
      else if (reads >= maxReads) refuse(`${name} and more: over ${maxReads} files are included`);
      else read(name);
      if (reads >= maxReads) return;
    }
  }
  for (const name of entries) read(name);
  return all;
}

const placeOf = ({ file, line }: Directive) => ({ file, line });

/**
 * The files that an Include names: as it stands, beside the file it stands in, or, since an absolute path is of the
 * machine it was written on, those that end as it does.
 */
function matchingFiles(pattern: string, from: string, files: RuleFiles): string[] {
  const parts = pattern.split('/').filter((part) => part !== '');
  // A bare `*.conf` would mean files of another folder.
  const tails = parts
    .map((_part, index) => parts.slice(index).join('/'))
    .filter((tail) => tail.includes('/') || !/[*?]/.test(tail));
  for (const candidate of new Set([pattern, joinPath(directoryOf(from), pattern), ...tails])) {
    const isMeant = fileMatcher(candidate);
    const found = [...files.keys()].filter(isMeant).sort();
    if (found.length > 0) return found;
  }
  return [];
}

/** Runs linearly, whatever number of stars stands in a path. */
function fileMatcher(path: string): (name: string) => boolean {
  const source = path
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]');
  const compiled = compileLinear(`^${source}$`);
  return compiled.ok ? (name) => compiled.pattern.matchEnd(name) >= 0 : (name) => name === path;
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
