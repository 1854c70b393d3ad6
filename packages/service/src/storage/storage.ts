import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { Kysely, sql, type Transaction } from 'kysely';
import type { Log } from '../log.ts';
import { migrateToLatest, schemaState } from './migrate.ts';
import type { StorageDialect, StorageMigration } from './migrations/index.ts';
import { explainOpenFailure, missingDatabase, olderSchema } from './open-failure.ts';
import { postgresDialect } from './postgres.ts';
import type { Database } from './schema.ts';
import { SqliteThreadDialect } from './sqlite/dialect.ts';

export type Db = Kysely<Database>;
export type Trx = Transaction<Database>;

/** The open database. */
export interface Storage {
  readonly dialect: StorageDialect;
  /** writes, one transaction after another on SQLite: never wait for it inside a transaction */
  readonly db: Db;
  /** reads that may go on beside the writer */
  readonly read: Db;
  /** all of `work` or nothing of it */
  transaction<T>(work: (trx: Trx) => Promise<T>): Promise<T>;
  /** reads that all see the same moment */
  moment<T>(work: (trx: Trx) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface StorageOptions {
  readonly dataDir: string;
  /** `postgres://…`; absent: SQLite in the data folder */
  readonly databaseUrl?: string | undefined;
  readonly log?: Log | undefined;
  /** takes the database as it stands: one that is missing or of an earlier version is refused */
  readonly asItStands?: boolean;
  /** for tests of earlier schemas */
  readonly migrations?: readonly StorageMigration[];
}

/** Name of the database in the data folder. */
export const sqliteFileName = 'portcullis.sqlite';

/**
 * Opens the database and, unless it is to be taken as it stands, brings its schema to this version, after a backup
 * where there was one before.
 * @throws StartError with cause and mend: unwritable folder, corrupted file, newer version, no connection
 */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const opened = await connect(options);
  try {
    const { applied, pending } = await schemaState(opened.db as unknown as Kysely<never>, options.migrations);
    if (options.asItStands && pending.length > 0) throw olderSchema();
    if (applied.length > 0 && pending.length > 0) await backUpFirst(opened, options, applied.at(-1) ?? '');
    await migrateToLatest(opened.db as unknown as Kysely<never>, opened.dialect, options.migrations);
    // Opened only now, for a read-only connection cannot create the file.
    if (opened.dialect === 'sqlite') await sql`select 1`.execute(opened.read);
    return opened;
  } catch (error) {
    await opened.close();
    throw explainOpenFailure(error, options);
  }
}

async function connect(options: StorageOptions): Promise<Storage> {
  if (options.databaseUrl !== undefined) {
    const onIdleError = (error: Error) =>
      options.log?.warn('A database connection broke and is replaced', { reason: error.message });
    const db = new Kysely<Database>({ dialect: postgresDialect(options.databaseUrl, onIdleError) });
    return assemble('postgres', db, db);
  }
  const file = path.join(options.dataDir, sqliteFileName);
  if (options.asItStands && !existsSync(file)) throw missingDatabase(options.dataDir);
  try {
    await mkdir(options.dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw explainOpenFailure(error, options);
  }
  const db = new Kysely<Database>({ dialect: new SqliteThreadDialect({ file, readOnly: false }) });
  const read = new Kysely<Database>({ dialect: new SqliteThreadDialect({ file, readOnly: true }) });
  return assemble('sqlite', db, read);
}

function assemble(dialect: StorageDialect, db: Db, read: Db): Storage {
  return {
    dialect,
    db,
    read,
    transaction: (work) => db.transaction().execute(work),
    moment(work) {
      const transaction = read.transaction();
      // On SQLite every transaction is of one moment.
      if (dialect === 'sqlite') return transaction.execute(work);
      return transaction.setIsolationLevel('repeatable read').execute(work);
    },
    async close() {
      await db.destroy();
      if (read !== db) await read.destroy();
    },
  };
}

async function backUpFirst(storage: Storage, options: StorageOptions, step: string): Promise<void> {
  if (storage.dialect === 'postgres') {
    options.log?.warn('The schema of the PostgreSQL database is brought forward; its backups are yours', {
      step,
    });
    return;
  }
  const folder = path.join(options.dataDir, 'backups');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, `before-migration-${step}-${Date.now()}.sqlite`);
  await sql`vacuum into ${file}`.execute(storage.db);
  options.log?.info('Backed the database up before bringing its schema forward', { file });
}
