import { existsSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { type Kysely, sql } from 'kysely';
import type { Log } from '../log.ts';
import { backUpFirst } from './before-migration.ts';
import { connectPostgres, connectSqlite, type Storage } from './connect.ts';
import { migrateToLatest, schemaState } from './migrate.ts';
import { migrations, type StorageMigration } from './migrations/index.ts';
import {
  explainOpenFailure,
  fillInterrupted,
  missingDatabase,
  olderSchema,
  restoreInterrupted,
} from './open-failure.ts';
import { isEmpty } from './transfer/index.ts';

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

/** Where a restore makes a database ready, until it is in its place or its rows are in PostgreSQL. */
export const restoringFolder = (dataDir: string) => path.join(dataDir, 'restoring');

/**
 * Opens the database and, unless it is to be taken as it stands, brings its schema to this version, after a backup
 * where there was one before.
 * @throws StartError with cause and mend: unwritable folder, corrupted file, newer version, no connection
 */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const opened = await connect(options);
  try {
    await refuseUnrestored(opened, options);
    const known = options.migrations ?? migrations;
    const { applied, pending } = await schemaState(opened.db as unknown as Kysely<never>, known);
    if (options.asItStands && pending.length > 0) throw olderSchema();
    if (applied.length > 0 && pending.length > 0) {
      const steps = known.filter(({ name }) => applied.includes(name));
      await backUpFirst(opened, options, steps);
    }
    await migrateToLatest(opened.db as unknown as Kysely<never>, opened.dialect, known);
    // Opened only now, for a read-only connection cannot create the file.
    if (opened.dialect === 'sqlite') await sql`select 1`.execute(opened.read);
    return opened;
  } catch (error) {
    await opened.close();
    throw explainOpenFailure(error, options);
  }
}

/**
 * A restore into PostgreSQL that was killed may have left its key and no rows: an installation that began there would
 * take the place of the one that was to come back.
 */
async function refuseUnrestored(opened: Storage, { dataDir, databaseUrl }: StorageOptions): Promise<void> {
  if (databaseUrl === undefined || !existsSync(restoringFolder(dataDir))) return;
  if (await isEmpty(opened)) throw fillInterrupted(dataDir);
}

async function connect(options: StorageOptions): Promise<Storage> {
  if (options.databaseUrl !== undefined) return connectPostgres(options.databaseUrl, options.log);
  const file = path.join(options.dataDir, sqliteFileName);
  const isNew = !existsSync(file);
  if (isNew) {
    // Killed in the moment between the old database and the new one: an empty one must not take their place.
    if (existsSync(restoringFolder(options.dataDir))) throw restoreInterrupted(options.dataDir);
    if (options.asItStands) throw missingDatabase(options.dataDir);
  }
  try {
    await mkdir(options.dataDir, { recursive: true, mode: 0o700 });
    // SQLite makes files that everybody may read, and in a folder that was there before they could. Its log follows.
    if (isNew) await (await open(file, 'a', 0o600)).close();
  } catch (error) {
    throw explainOpenFailure(error, options);
  }
  return connectSqlite(file);
}
