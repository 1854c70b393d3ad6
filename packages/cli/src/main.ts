#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { help } from './commands/help.ts';
import { readEnvironment, type Settings } from './environment/index.ts';
import { escapeControls } from './log/index.ts';
import { exitSettings, explain, trouble } from './process/index.ts';
import { productVersion } from './version.ts';

const options = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
  demo: { type: 'boolean' },
  id: { type: 'string' },
  email: { type: 'string' },
  seclang: { type: 'string' },
  'with-keys': { type: 'boolean' },
  apply: { type: 'boolean' },
  json: { type: 'boolean' },
  reason: { type: 'string' },
  'passphrase-file': { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  'dry-run': { type: 'boolean' },
  'while-running': { type: 'boolean' },
  'demo-upstream': { type: 'string' },
} as const;

type Values = { [name in keyof typeof options]?: string | boolean | undefined };
type Command = (settings: Settings, values: Values, words: readonly string[]) => Promise<void>;

const text = (value: string | boolean | undefined) => (typeof value === 'string' ? value : undefined);

/** Commands load what they need and no more, so that each process stays as small as its part. */
const commands: Readonly<Record<string, Command>> = {
  start: async (settings, values) => {
    const { runStart } = await import('./commands/start.ts');
    await runStart(settings, { demo: values.demo === true });
  },
  service: async (settings, values) => {
    const { runService } = await import('./commands/service.ts');
    await runService(settings, text(values['demo-upstream']));
  },
  gateway: async (settings, values) => {
    const { runGateway } = await import('./commands/gateway.ts');
    await runGateway(settings, text(values.id) ?? 'gateway-1');
  },
  check: async (settings, values) => {
    const directory = text(values.seclang);
    const { runCheck, runSeclangCheck } = await import('./commands/check.ts');
    await (directory === undefined ? runCheck(settings) : runSeclangCheck(directory));
  },
  status: async (settings, values) => {
    const { runStatus } = await import('./commands/status.ts');
    await runStatus(settings, { json: values.json === true });
  },
  admin: async (settings, values, words) => {
    if (words[0] !== 'reset') return refuse(`'admin ${words[0] ?? ''}' is not a command`);
    const { runAdminReset } = await import('./commands/admin.ts');
    await runAdminReset(settings, text(values.email));
  },
  backup: async (settings, values, words) => {
    if (words.length > 1) return refuse('backup takes one file');
    const { runBackup } = await import('./commands/backup.ts');
    await runBackup(settings, { file: words[0], withKeys: values['with-keys'] === true });
  },
  restore: async (settings, values, words) => {
    const [file] = words;
    if (file === undefined || words.length > 1) return refuse('restore takes the one file to restore');
    const { runRestore } = await import('./commands/restore.ts');
    await runRestore(settings, { file, withKeys: values['with-keys'] === true });
  },
  migrate: async (settings, values, words) => {
    const to = text(values.to);
    if (to === undefined || words.length > 0)
      return refuse('migrate takes --to, where the installation moves');
    const { runMigrate } = await import('./commands/migrate.ts');
    const options = { dryRun: values['dry-run'] === true, whileRunning: values['while-running'] === true };
    await runMigrate(settings, { from: text(values.from), to, ...options });
  },
  export: async (settings, values, words) => {
    if (words.length > 1) return refuse('export takes one file');
    const { runExport } = await import('./commands/configuration.ts');
    await runExport(settings, words[0], { passphraseFile: text(values['passphrase-file']) });
  },
  diff: async (settings, values, words) => {
    const [file] = words;
    if (file === undefined || words.length > 1) return refuse('diff takes the one file to compare');
    const { runDiff } = await import('./commands/configuration.ts');
    await runDiff(settings, file, { passphraseFile: text(values['passphrase-file']) });
  },
  import: async (settings, values, words) => {
    const [file] = words;
    if (file === undefined || words.length > 1) return refuse('import takes the one file to import');
    const { runImport } = await import('./commands/configuration.ts');
    const options = { apply: values.apply === true, reason: text(values.reason) };
    await runImport(settings, file, { ...options, passphraseFile: text(values['passphrase-file']) });
  },
  demo: async () => {
    const { runDemo } = await import('./commands/demo.ts');
    await runDemo();
  },
};

/** Those that take words behind their name; each says itself how many. */
const takeWords = new Set(['admin', 'backup', 'restore', 'migrate', 'export', 'diff', 'import']);

function refuse(problem: string): void {
  process.stderr.write(`${trouble('portcullis: ', problem)}See portcullis --help.\n`);
  process.exitCode = 2;
}

/** @returns what was typed; a sentence where it cannot be read, without Node's advice on words that begin with a dash */
function readLine() {
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    const [sentence = ''] = explain(error).message.split('. To specify', 1);
    return sentence;
  }
}

async function main(): Promise<void> {
  const line = readLine();
  if (typeof line === 'string') return refuse(line);
  const { values, positionals } = line;
  const [name, ...words] = positionals;
  if (values.version) {
    process.stdout.write(`${productVersion}\n`);
    return;
  }
  if (values.help || !name) {
    process.stdout.write(help);
    return;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) return refuse(`'${name}' is not a command`);
  if (words.length > 0 && !takeWords.has(name))
    return refuse(`${name} takes options alone, and no '${words[0]}'`);
  const reading = readEnvironment(process.env);
  if (!reading.ok) {
    const list = reading.problems.map((problem) => `  - ${escapeControls(problem)}`).join('\n');
    process.stderr.write(`Portcullis cannot start: the settings need attention.\n${list}\n`);
    process.exitCode = exitSettings;
    return;
  }
  await command(reading.settings, values, words);
}

try {
  await main();
} catch (error) {
  const { message, mend } = explain(error);
  process.stderr.write(trouble('portcullis: ', message, mend));
  process.exitCode = 1;
}
