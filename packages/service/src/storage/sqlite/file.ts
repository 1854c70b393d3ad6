import { open } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { kindOfSqliteCode, StorageError } from '../storage-error.ts';

/** Runs `work` on a file of SQLite. It blocks this thread: for commands of their own, not for the service. */
function withFile<T>(file: string, readOnly: boolean, work: (database: DatabaseSync) => T): T {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { readOnly, timeout: 5000 });
    return work(database);
  } catch (error) {
    if (!(error instanceof Error && 'errcode' in error)) throw error;
    throw new StorageError(kindOfSqliteCode(Number(error.errcode)), error.message, { cause: error });
  } finally {
    database?.close();
  }
}

/**
 * Copies a database as it stands at one moment, while others read and write it, and waits until the copy is on disk.
 * VACUUM INTO reads one snapshot; the page-wise backup API starts over with every write of another process.
 * @param to a file that does not exist yet; becomes readable for this user alone
 * @throws StorageError where the source cannot be read or the copy not be written
 * @see sqlite.org/lang_vacuum.html
 */
export async function copyDatabase(from: string, to: string): Promise<void> {
  const copy = await open(to, 'wx', 0o600);
  try {
    withFile(from, true, (database) => database.prepare('vacuum into ?').run(to));
    await copy.sync();
  } finally {
    await copy.close();
  }
}

/** @returns what SQLite finds wrong in a file, empty where all is well. @throws StorageError where it is no database */
export function integrityProblems(file: string): string[] {
  return withFile(file, true, (database) =>
    database
      .prepare('pragma integrity_check')
      .all()
      .map((row) => String(row['integrity_check']))
      .filter((finding) => finding !== 'ok'),
  );
}

/** @returns whether a file holds a database that Portcullis wrote, of whatever version */
export function holdsPortcullis(file: string): boolean {
  return withFile(file, true, (database) => {
    const table = database.prepare("select 1 from sqlite_schema where name = 'kysely_migration'").get();
    return table !== undefined && database.prepare('select 1 from kysely_migration').get() !== undefined;
  });
}

/** Takes what stands in the write-ahead log into the file, so that the file alone is the whole database. */
export function settleDatabase(file: string): void {
  withFile(file, false, (database) => database.exec('pragma wal_checkpoint(truncate)'));
}

/** Takes the checksum of the backup off that a database was restored from: it is to be written to. */
export function unmark(file: string): void {
  withFile(file, false, (database) => database.exec('pragma application_id = 0; pragma user_version = 0'));
}
