import {
  type End,
  type Moved,
  type MoveOptions,
  moveInstallation,
  nameOfEnd,
  parseEnd,
} from '@portcullis/service';
import type { Settings } from '../environment/index.ts';
import { claimDataFolder } from '../link/index.ts';

/** The words of the command. */
export interface MigrateOptions {
  /** absent: the installation that the environment names */
  readonly from: string | undefined;
  readonly to: string;
  readonly dryRun: boolean;
  readonly whileRunning: boolean;
}

const sayEveryMs = 1000;
const whole = (n: number) => n.toLocaleString('en');

/** `portcullis migrate --to END [--from END]`: carries an installation to another database, checked row by row. */
export async function runMigrate(settings: Settings, options: MigrateOptions): Promise<void> {
  const { PORTCULLIS_DATA_DIR: dataDir, PORTCULLIS_DATABASE_URL: databaseUrl } = settings;
  const from = parseEnd(options.from ?? databaseUrl ?? 'sqlite:', dataDir);
  const to = parseEnd(options.to, dataDir);
  const release = await claimFolders(from, to, options);
  try {
    const { dryRun, whileRunning } = options;
    const progress = createProgress((line) => process.stderr.write(line));
    const asked = { from, to, dataDir, dryRun, whileRunning, now: Date.now(), onProgress: progress };
    process.stdout.write(report(await moveInstallation(asked), asked));
  } finally {
    for (const end of release) await end();
  }
}

/** A folder whose database is read or made belongs to this command meanwhile, unless it only looks. */
async function claimFolders(from: End, to: End, { dryRun, whileRunning }: MigrateOptions) {
  const claimed: (() => Promise<void>)[] = [];
  if (dryRun) return claimed;
  const folders = new Set<string>();
  if (from.kind === 'sqlite' && !whileRunning) folders.add(from.folder);
  if (to.kind === 'sqlite') folders.add(to.folder);
  for (const folder of folders) {
    claimed.push(await claimDataFolder(folder, 'stop it first, or rehearse with --while-running'));
  }
  return claimed;
}

function createProgress(write: (line: string) => void): NonNullable<MoveOptions['onProgress']> {
  let saidAt = performance.now();
  return ({ doing, table, rows, of }) => {
    if (performance.now() - saidAt < sayEveryMs) return;
    saidAt = performance.now();
    write(`${doing} ${table}: ${whole(rows)} of ${whole(of)} rows\n`);
  };
}

function report({ tables, keyFile }: Moved, { from, to, dryRun, whileRunning }: MoveOptions): string {
  const filled = tables.filter(({ rows }) => rows > 0);
  const width = Math.max(...filled.map(({ name }) => name.length), 5);
  const lines = filled.map(
    ({ name, rows, digest }) =>
      `  ${name.padEnd(width)}  ${whole(rows).padStart(12)}${digest ? `  ${digest.slice(0, 16)}` : ''}`,
  );
  const all = whole(filled.reduce((sum, { rows }) => sum + rows, 0));
  const ends = `from ${nameOfEnd(from)} to ${nameOfEnd(to)}`;
  if (dryRun) {
    lines.push(`${all} rows would be moved ${ends}. Both ends were looked at; nothing was written.`);
    return `${lines.join('\n')}\n`;
  }
  lines.push(`Moved ${all} rows ${ends}; each was read back and is the same. The source is as it was.`);
  if (whileRunning) lines.push('What the running service stored since this began is not in it.');
  lines.push(
    `The secrets in it open with this key, which each service on it needs: ${keyFile}`,
    to.kind === 'postgres'
      ? 'Now set PORTCULLIS_DATABASE_URL to it and start Portcullis.'
      : `Now start Portcullis with PORTCULLIS_DATA_DIR=${to.folder} and without PORTCULLIS_DATABASE_URL.`,
  );
  return `${lines.join('\n')}\n`;
}
