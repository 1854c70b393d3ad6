import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { StartError } from '../start-error.ts';
import { migrations, type StorageDialect, type StorageMigration } from './migrations/index.ts';

/** What the stored schema lacks, in order of application. */
export interface SchemaState {
  /** steps applied by whoever wrote the database, in order */
  readonly applied: readonly string[];
  readonly pending: readonly StorageMigration[];
}

async function appliedNames(db: Kysely<never>): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some((table) => table.name === 'kysely_migration')) return [];
  const result = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return result.rows.map((row) => row.name);
}

/**
 * Compares the stored schema with what this version knows.
 * @throws StartError where a newer version wrote the database, since reading it could lose what it added
 */
export async function schemaState(
  db: Kysely<never>,
  known: readonly StorageMigration[] = migrations,
): Promise<SchemaState> {
  const applied = await appliedNames(db);
  const unknown = applied.filter((name) => !known.some((migration) => migration.name === name));
  if (unknown.length > 0) {
    throw new StartError(
      `The database was written by a newer version of Portcullis (it holds the schema step ${unknown.at(-1)})`,
      'Start that version or a newer one, or restore a backup that this version made',
    );
  }
  return { applied, pending: known.filter((migration) => !applied.includes(migration.name)) };
}

/** Applies what is pending, each step in one transaction. @throws StartError naming the step that failed */
export async function migrateToLatest(
  db: Kysely<never>,
  dialect: StorageDialect,
  known: readonly StorageMigration[] = migrations,
): Promise<void> {
  const steps = known.map(
    (migration) =>
      [migration.name, { up: (step: Kysely<unknown>) => migration.up({ db: step, dialect }) }] as const,
  );
  const migrator = new Migrator({ db, provider: { getMigrations: async () => Object.fromEntries(steps) } });
  const { error, results } = await migrator.migrateToLatest();
  if (!error) return;
  const step = results?.find((result) => result.status === 'Error')?.migrationName;
  // It was no step that failed but the database itself, which who opened it explains.
  if (step === undefined) throw error;
  const reason = error instanceof Error ? error.message : String(error);
  throw new StartError(
    `The database could not be brought to this version's schema: step ${step} failed (${reason})`,
    'Nothing was changed. Mend the cause, or restore the backup from the data folder and start the old version',
    { cause: error },
  );
}
