import { chmodSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { LinkError } from './link-error.ts';

const mendSecond =
  'stop the other one, or give this one a PORTCULLIS_DATA_DIR of its own, on a file system with locks';
const sqliteBusy = 5;

/**
 * Makes a data folder this process's own until it is given back or the process ends, however it ends: a lock of
 * SQLite's, which the kernel frees. Two services on one database would spoil it.
 * @param mend what to do where another process has it
 * @returns gives it back
 * @throws LinkError where another process has it
 */
export function holdDataFolder(dataDir: string, mend = mendSecond): () => void {
  const folder = path.join(dataDir, 'run');
  makeFolder(folder);
  // Not for gateways, which read this file and hold nothing.
  const { DatabaseSync: Database } = process.getBuiltinModule('node:sqlite');
  let lock: DatabaseSync | undefined;
  try {
    lock = new Database(path.join(folder, 'lock.sqlite'));
    lock.exec('begin exclusive');
  } catch (error) {
    lock?.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) {
      // The same answer comes of a file system without locks, such as NFS without its lock daemon.
      throw new LinkError(
        `another process holds this data folder (${dataDir}): a service, restore or migrate`,
        mend,
      );
    }
    throw unusable(error);
  }
  const held = lock;
  return () => held.close();
}

/** A folder for this user alone. */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
  } catch (error) {
    throw unusable(error);
  }
}

const unusable = (error: unknown) =>
  new LinkError(
    `the data folder cannot be used: ${(error as Error).message}`,
    'name a folder that this user may write with PORTCULLIS_DATA_DIR',
  );
