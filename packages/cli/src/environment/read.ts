import { readFileSync } from 'node:fs';
import { EnvironmentSchema, type Settings, secretNames } from './schema.ts';

export type Reading =
  | { readonly ok: true; readonly settings: Settings }
  /** all that is wrong, one sentence each, never with a secret's value in it */
  | { readonly ok: false; readonly problems: readonly string[] };

const known: ReadonlySet<string> = new Set([
  ...Object.keys(EnvironmentSchema.shape),
  ...secretNames.map((name) => `${name}_FILE`),
]);

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads all settings and reports all problems at once. An empty variable counts as absent.
 * @param environment as of `process.env`
 */
export function readEnvironment(environment: Environment): Reading {
  const given: Record<string, string> = {};
  const problems: string[] = [];
  for (const [name, value] of Object.entries(environment)) {
    if (!name.startsWith('PORTCULLIS_') || !value) continue;
    if (known.has(name)) given[name] = value;
    else problems.push(`${name} is not a setting${suggestion(name)}`);
  }
  for (const name of secretNames) readSecretFile(name, given, problems);
  const parsed = EnvironmentSchema.safeParse(given);
  if (parsed.success && problems.length === 0) return { ok: true, settings: parsed.data };
  for (const issue of parsed.error?.issues ?? []) problems.push(`${issue.path.join('.')} ${issue.message}`);
  return { ok: false, problems };
}

function readSecretFile(name: string, given: Record<string, string>, problems: string[]): void {
  const file = given[`${name}_FILE`];
  if (!file) return;
  delete given[`${name}_FILE`];
  if (given[name]) {
    problems.push(`${name} and ${name}_FILE are both set; keep one of them`);
    return;
  }
  try {
    const value = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
    if (value === '') problems.push(`${name}_FILE names ${file}, which is empty`);
    else given[name] = value;
  } catch (error) {
    problems.push(
      `${name}_FILE names ${file}, which cannot be read (${(error as NodeJS.ErrnoException).code})`,
    );
  }
}

function suggestion(name: string): string {
  const words = name.split('_').filter((word) => word.length > 2);
  const near = [...known].find(
    (candidate) => words.filter((word) => candidate.includes(word)).length >= words.length,
  );
  return near ? `; was ${near} meant?` : ' (see portcullis --help)';
}
