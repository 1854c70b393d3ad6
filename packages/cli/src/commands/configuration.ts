import { readFile, writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Issue } from '@portcullis/contract/api';
import type { ConfigurationImportResult } from '@portcullis/contract/configuration';
import { type CommandPlace, exportConfiguration, importConfiguration } from '@portcullis/service';
import { describeChanges } from '../configuration/index.ts';
import type { Settings } from '../environment/index.ts';
import { escapeControls } from '../log/index.ts';
import { accountName } from '../process/index.ts';
import { checkRule } from '../rules/index.ts';

/** What the commands on the configuration take beside a file. */
export interface ConfigurationOptions {
  /** a file whose first line is the passphrase of the secrets */
  readonly passphraseFile: string | undefined;
  /** import alone */
  readonly apply?: boolean;
  /** import alone: one sentence for the history */
  readonly reason?: string | undefined;
}

/** `diff` says by its exit code, as diff(1) does, whether there is a difference. */
const exitCodes = { same: 0, different: 1, trouble: 2 } as const;

const placeOf = (settings: Settings): CommandPlace => ({
  dataDir: settings.PORTCULLIS_DATA_DIR,
  databaseUrl: settings.PORTCULLIS_DATABASE_URL,
  gatewayPorts: [settings.PORTCULLIS_HTTP_PORT, settings.PORTCULLIS_HTTPS_PORT],
  operator: accountName(),
  checkRule,
});

const readText = (file: string) => (file === '-' ? text(process.stdin) : readFile(file, 'utf8'));

async function passphraseIn(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  const [first = ''] = (await readText(file)).split(/\r?\n/);
  if (first.length < 12) throw new Error(`The passphrase in ${file} has fewer than 12 characters`);
  return first;
}

const print = (lines: readonly string[]) => void process.stdout.write(`${lines.join('\n')}\n`);

/** `portcullis export [FILE]`: the whole configuration as YAML, to a file or the terminal. */
export async function runExport(
  settings: Settings,
  file: string | undefined,
  { passphraseFile }: ConfigurationOptions,
): Promise<void> {
  const document = await exportConfiguration(placeOf(settings), await passphraseIn(passphraseFile));
  if (file === undefined || file === '-') {
    process.stdout.write(document);
    return;
  }
  // Addresses and upstreams are nobody else's business.
  await writeFile(file, document, { mode: 0o600 });
  print([`Exported the configuration to ${file}.`]);
}

/** All that is wrong with a file, as compilers write it: file, line, what. */
function complain(file: string, message: string, issues: readonly Issue[] | undefined): void {
  const name = file === '-' ? 'standard input' : file;
  const lines = (issues ?? []).map(({ path, message: what, line }) => {
    const place = [name, ...(line === undefined ? [] : [line])].join(':');
    return escapeControls(`${place}: ${path === '' ? '' : `${path}: `}${what}`);
  });
  process.stderr.write(`${[...lines, `portcullis: ${escapeControls(message)}`].join('\n')}\n`);
}

async function compared(
  settings: Settings,
  file: string,
  options: ConfigurationOptions,
): Promise<ConfigurationImportResult | undefined> {
  const passphrase = await passphraseIn(options.passphraseFile);
  const asked = { apply: options.apply ?? false, passphrase, reason: options.reason };
  const outcome = await importConfiguration(placeOf(settings), await readText(file), asked);
  if (outcome.ok) return outcome.value;
  complain(file, outcome.message ?? 'The file was refused as it is. Nothing was changed', outcome.issues);
  return undefined;
}

function linesOf({ changes, notes }: ConfigurationImportResult): string[] {
  return [...describeChanges(changes), ...notes.map((note) => `Note: ${escapeControls(note)}`)];
}

/** `portcullis diff FILE`: what importing it would change. Exit code 1 where something would, 2 on trouble. */
export async function runDiff(
  settings: Settings,
  file: string,
  options: ConfigurationOptions,
): Promise<void> {
  process.exitCode = exitCodes.trouble;
  const result = await compared(settings, file, options);
  if (!result) return;
  process.exitCode = result.changes.length > 0 ? exitCodes.different : exitCodes.same;
  const same = result.changes.length === 0 ? ['The file and the configuration in force are the same.'] : [];
  print([...linesOf(result), ...same]);
}

/** `portcullis import FILE [--apply]`: without `--apply` only tells what would change. */
export async function runImport(
  settings: Settings,
  file: string,
  options: ConfigurationOptions,
): Promise<void> {
  const result = await compared(settings, file, options);
  if (!result) {
    process.exitCode = 1;
    return;
  }
  print([...linesOf(result), closing(result)]);
}

function closing({ applied, changes, version }: ConfigurationImportResult): string {
  if (changes.length === 0) return 'The file and the configuration in force are the same.';
  const count = changes.length === 1 ? '1 change' : `${changes.length} changes`;
  if (!applied) return `${count}. Nothing was changed yet: --apply does it.`;
  return `${count} ${changes.length === 1 ? 'is' : 'are'} in force as version ${version}. A running service takes it within seconds.`;
}
