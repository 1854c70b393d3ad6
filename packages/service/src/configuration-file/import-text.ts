import type { ConfigurationDocument, DocumentSecrets } from '@portcullis/contract/configuration';
import { type Failure, invalid, type Outcome, success } from '../outcome.ts';
import type { ImportedFile } from './imported-file.ts';
import { openSecrets } from './passphrase.ts';
import { linesBeside, readBeside } from './yaml-thread.ts';

/** What came with a file's text. */
export interface TextOptions {
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
export async function readFileText(text: string, options: TextOptions): Promise<Outcome<ImportedFile>> {
  const reading = await readBeside(text);
  if (!reading.ok) return invalid(reading.issues);
  const secrets = await secretsOf(reading.document, options.passphrase);
  if (!secrets.ok) return secrets;
  const { base, reason } = options;
  return success({ document: reading.document, secrets: secrets.value, base, reason });
}

/** A refusal of what a file says, with the lines that say it. */
export async function withFileLines(text: string, refused: Failure): Promise<Failure> {
  if (!refused.issues || refused.code === 'version_conflict') return refused;
  return { ...refused, issues: await linesBeside(text, refused.issues) };
}
