import { chmod, mkdir, open, rename, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { type Kysely, sql } from 'kysely';
import { StartError } from '../../start-error.ts';
import { connectSqlite, type Storage } from '../connect.ts';
import { migrateToLatest } from '../migrate.ts';
import type { StorageMigration } from '../migrations/index.ts';
import { sumUp } from '../sqlite/checksum.ts';
import { type CarriedTable, type CarryOptions, carry, heldMoment, type Side } from './carry.ts';
import { planOf } from './plan.ts';

export interface FileOptions extends CarryOptions {
  /** more to do in the file before it takes its name */
  readonly finish?: (written: Storage) => Promise<void>;
  /** it is to lie there, so that it gets a checksum */
  readonly isBackup?: boolean;
}

/**
 * Writes a database of either kind into a file of SQLite as it stands at one moment, while others read and write it.
 * The file takes its name only once it is whole, was read back and lies on disk.
 * @param steps of the schema that the source has
 * @param file that does not exist yet; becomes readable for this user alone
 * @throws StartError where a row did not arrive as it was; what SQLite or PostgreSQL throw
 */
export async function storeAsFile(
  source: Storage,
  steps: readonly StorageMigration[],
  file: string,
  options: FileOptions = {},
): Promise<CarriedTable[]> {
  const plan = await planOf(steps);
  const folder = `${file}.partial`;
  const partial = path.join(folder, 'database.sqlite');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const written = connectSqlite(partial);
  try {
    const carried = await heldMoment(source, async (side) => {
      await refuseWithoutRoom(side, folder);
      await migrateToLatest(written.db as unknown as Kysely<never>, 'sqlite', steps);
      // Each batch is kept at once: the file has no name yet, and its log need not grow as large as itself.
      return carry(plan, side, { db: written.db, dialect: 'sqlite' }, options);
    });
    await options.finish?.(written);
    await written.close();
    if (options.isBackup) sumUp(partial);
    await settle(partial, file);
    return carried;
  } finally {
    await written.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function settle(partial: string, file: string): Promise<void> {
  await chmod(partial, 0o600);
  const handle = await open(partial, 'r+');
  await handle.sync();
  await handle.close();
  await rename(partial, file);
}

/** Says so before an hour of copying rather than after it. */
async function refuseWithoutRoom({ db, dialect }: Side, folder: string): Promise<void> {
  if (dialect === 'sqlite') return;
  const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(
    db,
  );
  const { bavail, bsize } = await statfs(folder);
  const [needed, free] = [rows[0]?.bytes ?? 0, bavail * bsize];
  if (needed <= free) return;
  const gigabytes = (bytes: number) => `${(bytes / 1024 ** 3).toFixed(1)} GB`;
  throw new StartError(
    `The disk of ${path.dirname(folder)} is too full for a copy of the database: it has ${gigabytes(free)} free and the database takes ${gigabytes(needed)}`,
    'Free some space there',
  );
}
