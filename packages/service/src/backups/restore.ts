import { constants, existsSync } from 'node:fs';
import { access, mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createAuditLog } from '../audit/index.ts';
import { loadTokenSigner } from '../auth/index.ts';
import { type InstallationPlace, storedIssues } from '../maintenance.ts';
import { keyFile, loadSealer } from '../sealing/index.ts';
import { StartError } from '../start-error.ts';
import {
  copyDatabase,
  type EmptyPostgres,
  explainOpenFailure,
  explainRestoreFailure,
  holdsPortcullis,
  integrityProblems,
  openEmptyPostgres,
  openStorage,
  restoringFolder,
  settleDatabase,
  storageErrorKind,
  sumFits,
  unmark,
} from '../storage/index.ts';
import { backupKeyFile, backupsFolder, databaseFile, stampOf } from './place.ts';

export interface RestoreOptions {
  readonly file: string;
  /** takes the key file beside the backup too; else the data folder's own must fit */
  readonly withKeys: boolean;
  /** Unix milliseconds */
  readonly now: number;
  /** how long PostgreSQL is asked what became of a restore whose connection broke at its end; absent: a minute */
  readonly patienceMs?: number;
}

/** What a restore did. */
export interface Restored {
  /** where the database before lies now; absent where there was none */
  readonly replaced: string | undefined;
  /** where the key file before lies now, if it was replaced */
  readonly replacedKey: string | undefined;
  /** what is wrong in the restored database without hindering a start */
  readonly notices: readonly string[];
}

/**
 * Puts a backup in the database's place, or into an empty database of PostgreSQL. The service must not run: the
 * caller sees to it. A copy is examined, brought to this version's schema and tried with the key first; only then is
 * anything replaced.
 * @throws StartError where the backup is not sound, of a newer version, or sealed with another key, and where
 *   PostgreSQL's database is not empty
 */
export async function restoreBackup(place: InstallationPlace, options: RestoreOptions): Promise<Restored> {
  const { dataDir, databaseUrl } = place;
  const file = path.resolve(options.file);
  await examineFile(file, dataDir);
  const staging = restoringFolder(dataDir);
  await rm(staging, { recursive: true, force: true });
  await mkdir(path.dirname(keyFile(staging)), { recursive: true, mode: 0o700 });
  try {
    await stageKey(options.withKeys ? backupKeyFile(file) : keyFile(dataDir), staging, options.withKeys);
    await copyDatabase(file, databaseFile(staging));
    unmark(databaseFile(staging));
    const notices = await makeReady(staging, file, options.now);
    settleDatabase(databaseFile(staging));
    const { replaced, replacedKey } =
      databaseUrl === undefined
        ? await replace(dataDir, staging, options, true)
        : await fill({ dataDir, databaseUrl }, staging, options);
    return { replaced, replacedKey, notices };
  } catch (error) {
    throw explainRestoreFailure(error, dataDir);
  } finally {
    // What could not be cleared away is cleared by the next start, and must not hide how it ended.
    await rm(staging, { recursive: true, force: true }).catch(() => undefined);
  }
}

const otherBackup = 'Restore another backup; nothing was changed';

async function examineFile(file: string, dataDir: string): Promise<void> {
  const real = (name: string) => realpath(name).catch(() => undefined);
  const found = await real(file);
  if (found === undefined || !(await stat(found)).isFile()) {
    throw new StartError(`There is no file ${file}`, 'Name the backup that is to be restored');
  }
  if (found === (await real(databaseFile(dataDir)))) {
    throw new StartError(`${file} is the database itself`, 'Name the backup that is to be restored');
  }
  let problem: string | undefined;
  try {
    // SQLite says no more than that it could not open it.
    await access(file, constants.R_OK);
    [problem] = integrityProblems(file);
    if (problem === undefined && !holdsPortcullis(file)) problem = 'it holds no database of Portcullis';
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error);
  }
  if (problem !== undefined) throw new StartError(`${file} cannot be restored: ${problem}`, otherBackup);
  if (sumFits(file)) return;
  throw new StartError(
    `${file} cannot be restored: it is not as it was written, so something in it was changed or damaged since`,
    `${otherBackup}. Where it is the last one, or was changed on purpose, \`sqlite3 FILE "pragma application_id = 0"\` takes the checksum off`,
  );
}

/** A missing key must be an error: the sealer would make a fresh one, which opens nothing. */
async function stageKey(from: string, staging: string, withKeys: boolean): Promise<void> {
  const key = await readFile(from).catch((cause: unknown) => {
    throw new StartError(
      `The key file ${from} is missing, and without it the backup's secrets cannot be opened`,
      withKeys
        ? 'Put the key file beside the backup under that name, or leave --with-keys out'
        : 'Put the key file there, or use --with-keys where it lies beside the backup with .key at its end',
      { cause },
    );
  });
  await writeFile(keyFile(staging), key, { mode: 0o600 });
}

/**
 * Brings the copy to this version's schema, tries the key, and ends what must not come back to life: who signed out
 * since, or had the session taken, stays out.
 */
async function makeReady(staging: string, file: string, now: number): Promise<string[]> {
  const storage = await openStorage({ dataDir: staging });
  try {
    await loadTokenSigner(storage, await loadSealer(staging), () => now);
    const audit = createAuditLog(storage, () => now);
    await storage.transaction(async (trx) => {
      await trx.deleteFrom('stream_tickets').execute();
      await trx.deleteFrom('sessions').execute();
      await trx.deleteFrom('setup_tokens').execute();
      await audit.append(trx, {
        action: 'database.restore',
        level: 'warning',
        message: 'The database was restored from a backup; all sessions ended',
        actor: 'system',
        ip: '',
        details: { file: path.basename(file) },
      });
    });
    return (await storedIssues(storage)).map(({ message }) => message);
  } finally {
    await storage.close();
  }
}

/**
 * PostgreSQL's database is filled and never replaced: the one before stays where it is, under its name. The key is put
 * in its place before the rows are there for good: whoever is killed in between has an empty database, which the next
 * restore fills, and never rows that no key opens.
 */
async function fill(
  to: { readonly dataDir: string; readonly databaseUrl: string },
  staging: string,
  options: RestoreOptions,
): Promise<Replaced> {
  let placed: Replaced | undefined;
  let target: EmptyPostgres | undefined;
  const source = await openStorage({ dataDir: staging, asItStands: true });
  try {
    target = await openEmptyPostgres(to.databaseUrl);
    await target.fill(source, {
      finish: async () => {
        placed = await replace(to.dataDir, staging, options, false);
      },
    });
    if (!placed) throw new Error('The key was not put in its place');
    return placed;
  } catch (error) {
    const why = explainOpenFailure(error, { dataDir: staging, databaseUrl: to.databaseUrl });
    if (!placed || !target) throw why;
    // A connection that breaks while the server commits tells nothing of the rows, and the key must be theirs.
    const outcome = await target.outcome(options.patienceMs ?? 60_000);
    if (outcome === 'filled') return placed;
    if (outcome === 'unknown') throw leftOpen(why, placed, to.dataDir);
    await undone(why, placed, to.dataDir);
    throw why;
  } finally {
    await target?.close();
    await source.close();
  }
}

const said = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Where the key of before is to be found, and where it belongs. */
const keyBefore = ({ replacedKey }: Replaced, dataDir: string) =>
  replacedKey === undefined ? '' : ` The key before lies in ${replacedKey} and was ${keyFile(dataDir)}.`;

function leftOpen(why: unknown, placed: Replaced, dataDir: string): StartError {
  return new StartError(
    `Whether the backup was restored is not known: ${said(why)}. The backup's key was left in its place.${keyBefore(placed, dataDir)}`,
    'Once PostgreSQL answers, run the restore again: it is done now where the database is empty, and was done before where it says that it is not',
    { cause: why },
  );
}

/** @throws StartError where the key of before cannot be put back */
async function undone(why: unknown, placed: Replaced, dataDir: string): Promise<void> {
  try {
    await placed.undo();
  } catch (error) {
    throw new StartError(
      `${said(why)}. Nor could the key be put back (${said(error)}).${keyBefore(placed, dataDir)}`,
      'The database is empty: put the key back by hand, or restore again',
      { cause: why },
    );
  }
}

/**
 * One file is moved at a stroke, and not parted from its log; a damaged one that cannot be read keeps it beside it. The
 * checksum of a backup that was once put here by hand is true of it no more.
 */
function settleIfPossible(database: string): void {
  if (!existsSync(database)) return;
  try {
    unmark(database);
    settleDatabase(database);
  } catch (error) {
    if (storageErrorKind(error) === undefined) throw error;
  }
}

type Move = readonly [from: string, to: string];

interface Replaced extends Pick<Restored, 'replaced' | 'replacedKey'> {
  /** Puts everything back as it was. */
  undo(): Promise<void>;
}

async function replace(
  dataDir: string,
  staging: string,
  { withKeys, now }: RestoreOptions,
  withDatabase: boolean,
): Promise<Replaced> {
  const database = databaseFile(dataDir);
  const replaced = path.join(backupsFolder(dataDir), `replaced-${stampOf(now)}.sqlite`);
  const replacedKey = backupKeyFile(replaced);
  await mkdir(backupsFolder(dataDir), { recursive: true, mode: 0o700 });
  await mkdir(path.dirname(keyFile(dataDir)), { recursive: true, mode: 0o700 });
  // A killed service leaves a write-ahead log: it goes along, for what stands in it belongs to the old database.
  if (withDatabase) settleIfPossible(database);
  const parts = withDatabase ? ['', '-wal', '-shm'] : [];
  const aside = parts.map((end): Move => [database + end, replaced + end]);
  if (withKeys) aside.push([keyFile(dataDir), replacedKey]);
  // The database goes first and comes last: whoever is killed in between leaves none, and a start refuses that.
  const inPlace: Move[] = withKeys ? [[keyFile(staging), keyFile(dataDir)]] : [];
  if (withDatabase) inPlace.push([databaseFile(staging), database]);
  const moved = await moveAll(aside, inPlace);
  const kept = (name: string) => (moved.some(([, to]) => to === name) ? name : undefined);
  return { replaced: kept(replaced), replacedKey: kept(replacedKey), undo: () => moveBack(moved) };
}

/** Moves what there is aside, then the new into its place; undoes all of it where one move fails. @returns the moves */
async function moveAll(aside: readonly Move[], inPlace: readonly Move[]): Promise<Move[]> {
  const done: Move[] = [];
  try {
    for (const move of [...aside, ...inPlace]) {
      const [from, to] = move;
      const moved = await rename(from, to).then(
        () => true,
        (error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT' && aside.includes(move)) return false;
          throw error;
        },
      );
      if (moved) done.push(move);
    }
    return done;
  } catch (error) {
    await moveBack(done);
    throw error;
  }
}

async function moveBack(moves: readonly Move[]): Promise<void> {
  for (const [from, to] of moves.toReversed()) await rename(to, from);
}
