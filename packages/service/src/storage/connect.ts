import { setTimeout as delay } from 'node:timers/promises';
import { Kysely, type Transaction } from 'kysely';
import type { Log } from '../log.ts';
import type { StorageDialect } from './migrations/index.ts';
import { postgresDialect } from './postgres.ts';
import type { Database } from './schema.ts';
import { SqliteThreadDialect } from './sqlite/dialect.ts';
import { storageErrorKind, UnsettledError } from './storage-error.ts';
import { WriteCheck } from './write-check.ts';

/** Who reads waits no longer for what is written by the way. */
const asideMs = 500;

export type Db = Kysely<Database>;
export type Trx = Transaction<Database>;

/** The open database. */
export interface Storage {
  readonly dialect: StorageDialect;
  /** writes, one transaction after another on SQLite: never wait for it inside a transaction */
  readonly db: Db;
  /** reads that may go on beside the writer */
  readonly read: Db;
  /** all of `work` or nothing of it. @throws UnsettledError where nobody can tell which */
  transaction<T>(work: (trx: Trx) => Promise<T>): Promise<T>;
  /** reads that all see the same moment */
  moment<T>(work: (trx: Trx) => Promise<T>): Promise<T>;
  /**
   * A small write that may be lost, such as when somebody was last seen: reading goes on where nothing can be written.
   * One at a time, the others are left out, and none is waited for long. Never throws
   */
  aside(write: (db: Db) => Promise<unknown>): Promise<void>;
  /** @returns why writes fail, undefined while they are taken; tries one at times. Never throws */
  whyNoWrites(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** Connects to PostgreSQL as soon as it is asked something. Its schema stays as it is. */
export function connectPostgres(databaseUrl: string, log?: Log): Storage {
  const onIdleError = (error: Error) =>
    log?.warn('A database connection broke and is replaced', { reason: error.message });
  const db = new Kysely<Database>({ dialect: postgresDialect(databaseUrl, onIdleError) });
  return assemble('postgres', db, db);
}

/**
 * Opens a file as soon as it is asked something; the first write makes it. Its schema stays as it is.
 * @param file in a folder that exists
 */
export function connectSqlite(file: string): Storage {
  const db = new Kysely<Database>({ dialect: new SqliteThreadDialect({ file, readOnly: false }) });
  const read = new Kysely<Database>({ dialect: new SqliteThreadDialect({ file, readOnly: true }) });
  return assemble('sqlite', db, read);
}

function assemble(dialect: StorageDialect, db: Db, read: Db): Storage {
  const writes = new WriteCheck(db);
  let aside: Promise<void> | undefined;
  return {
    dialect,
    db,
    read,
    async transaction(work) {
      let atCommit = false;
      try {
        return await db.transaction().execute(async (trx) => {
          const result = await work(trx);
          atCommit = true;
          return result;
        });
      } catch (error) {
        writes.failed(error);
        throw atCommit && storageErrorKind(error) === 'unreachable' ? new UnsettledError(error) : error;
      }
    },
    async aside(write) {
      if (aside) return;
      const written = write(db).then(
        () => undefined,
        (error: unknown) => writes.failed(error),
      );
      aside = written.finally(() => {
        aside = undefined;
      });
      await Promise.race([written, delay(asideMs, undefined, { ref: false })]);
    },
    whyNoWrites: () => writes.whyRefused(),
    moment(work) {
      const transaction = read.transaction();
      // On SQLite every transaction is of one moment.
      if (dialect === 'sqlite') return transaction.execute(work);
      return transaction.setIsolationLevel('repeatable read').execute(work);
    },
    async close() {
      // The writer last: only it can take the log into the file, so that the file alone is the whole database.
      if (read !== db) await read.destroy();
      await db.destroy();
    },
  };
}
