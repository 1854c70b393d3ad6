import { chmod, mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import type { Log } from '../log.ts';
import type { Storage } from './connect.ts';
import type { StorageMigration } from './migrations/index.ts';
import { explainBackupFailure } from './open-failure.ts';
import { sumUp } from './sqlite/checksum.ts';
import { storeAsFile } from './transfer/index.ts';

const dayMs = 86_400_000;

/**
 * Backs a database up before its schema is brought forward. The backup is a file of SQLite whichever database it is
 * of, so that no tool of PostgreSQL's need be there. Of starts that fail one after the other, as a service manager
 * repeats them, the last backup stays alone: each holds what the one before did, and together they would fill the disk.
 * @param steps of the schema that the database has
 * @throws StartError where it cannot be made
 */
export async function backUpFirst(
  storage: Storage,
  { dataDir, log }: { readonly dataDir: string; readonly log?: Log | undefined },
  steps: readonly StorageMigration[],
): Promise<void> {
  const folder = path.join(dataDir, 'backups');
  const prefix = `before-migration-${steps.at(-1)?.name}-`;
  const now = Date.now();
  const name = `${prefix}${now}.sqlite`;
  const file = path.join(folder, name);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // Only now is there room for another one.
    await removeAll(folder, (other) => /^before-migration-.*\.sqlite\.partial/.test(other));
    if (storage.dialect === 'sqlite') await vacuumInto(storage, file);
    else {
      log?.info('Backs the database up before its schema is brought forward', { file });
      await storeAsFile(storage, steps, file, { isBackup: true });
    }
    await removeAll(folder, (other) => {
      const made = other.startsWith(prefix) ? Number(other.slice(prefix.length).replace('.sqlite', '')) : NaN;
      return made < now && made > now - dayMs;
    });
  } catch (error) {
    throw explainBackupFailure(error, file);
  }
  log?.info('Backed the database up before bringing its schema forward', { file });
}

async function removeAll(folder: string, isOld: (name: string) => boolean): Promise<void> {
  for (const name of (await readdir(folder)).filter(isOld)) {
    await rm(path.join(folder, name), { recursive: true, force: true });
  }
}

/** The file takes its name once it is whole: who is killed meanwhile leaves nothing that passes for a backup. */
async function vacuumInto(storage: Storage, file: string): Promise<void> {
  const partial = `${file}.partial`;
  try {
    await sql`vacuum into ${partial}`.execute(storage.db);
    sumUp(partial);
    await chmod(partial, 0o600);
    await rename(partial, file);
  } finally {
    for (const left of [partial, `${partial}-journal`]) await rm(left, { force: true });
  }
}
