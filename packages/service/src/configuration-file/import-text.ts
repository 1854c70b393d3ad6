import type {
  ConfigurationDocument,
  ConfigurationImportResult,
  DocumentSecrets,
} from '@portcullis/contract/configuration';
import type { AuditLog } from '../audit/index.ts';
import { type Author, type Configuration, presentDifference } from '../configuration/index.ts';
import { invalid, type Outcome, success } from '../outcome.ts';
import { type ImportParts, importWork, rehearseImport } from './import.ts';
import type { ImportedFile } from './imported-file.ts';
import { openSecrets } from './passphrase.ts';
import { linesBeside, readBeside } from './yaml-thread.ts';

export interface ConfigurationFileParts extends ImportParts {
  readonly configuration: Pick<Configuration, 'change'>;
  readonly audit: AuditLog;
}

/** What came with a file's text. */
export interface TextOptions {
  /** false: only tells what would change */
  readonly apply: boolean;
  readonly passphrase?: string | undefined;
  readonly base?: number | undefined;
  readonly reason?: string | undefined;
}

async function secretsOf(
  { secrets }: ConfigurationDocument,
  passphrase: string | undefined,
): Promise<Outcome<DocumentSecrets | undefined>> {
  if (secrets === undefined || passphrase === undefined) return success(undefined);
  const opened = await openSecrets(secrets, passphrase);
  if (opened) return success(opened);
  const message = 'This passphrase does not open the secrets of the file';
  return invalid([{ path: 'passphrase', message }]);
}

/** Reads a file whole, or tells all that is wrong with it. */
async function readFileText(text: string, options: TextOptions): Promise<Outcome<ImportedFile>> {
  const reading = await readBeside(text);
  if (!reading.ok) return invalid(reading.issues);
  const secrets = await secretsOf(reading.document, options.passphrase);
  if (!secrets.ok) return secrets;
  const { base, reason } = options;
  return success({ document: reading.document, secrets: secrets.value, base, reason });
}

/** Compares, and applies where something differs: a file that changes nothing makes no version. */
async function imported(
  parts: ConfigurationFileParts,
  file: ImportedFile,
  author: Author,
  apply: boolean,
): Promise<Outcome<ConfigurationImportResult>> {
  const rehearsed = await rehearseImport(parts, file, author);
  if (!rehearsed.ok) return rehearsed;
  const { changes, notes, version } = rehearsed.value;
  const result = { version, changes: await Promise.all(changes.map(presentDifference)), notes: [...notes] };
  if (!apply || changes.length === 0) return success({ ...result, applied: apply });
  const work = importWork(parts, { ...file, base: version }, author);
  const done = await parts.configuration.change(author, work);
  if (!done.ok) return done;
  const applied = await Promise.all(done.value.changes.map(presentDifference));
  return success({ ...result, changes: applied, applied: true, version: version + 1 });
}

/** Compares a file's text with what is in force, and applies it where that is asked for. */
export async function importText(
  parts: ConfigurationFileParts,
  text: string,
  options: TextOptions,
  author: Author,
): Promise<Outcome<ConfigurationImportResult>> {
  const file = await readFileText(text, options);
  if (!file.ok) return file;
  const outcome = await imported(parts, file.value, author, options.apply);
  if (outcome.ok || !outcome.issues || outcome.code === 'version_conflict') return outcome;
  return { ...outcome, issues: await linesBeside(text, outcome.issues) };
}
