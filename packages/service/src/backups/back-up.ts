import { access, chmod, constants, copyFile, mkdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { InstallationPlace } from '../maintenance.ts';
import { keyFile } from '../sealing/index.ts';
import { StartError } from '../start-error.ts';
import {
  copyDatabase,
  integrityProblems,
  migrations,
  openStorage,
  storeAsFile,
  sumUp,
} from '../storage/index.ts';
import { backupKeyFile, backupsFolder, databaseFile, stampOf } from './place.ts';

export interface BackupOptions {
  /** where to; absent: a name with the time, in the data folder's `backups` */
  readonly file?: string | undefined;
  /** puts the key file beside it: who has both can open the stored secrets */
  readonly withKeys: boolean;
  /** Unix milliseconds */
  readonly now: number;
}

/** A backup that was made. */
export interface Backup {
  readonly file: string;
  readonly bytes: number;
  /** the key's copy, where it was asked for */
  readonly keyCopy: string | undefined;
  /** the key that the backup's secrets need, where it lies in the installation */
  readonly keyFile: string;
}

const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  );

/**
 * Copies the database as it stands now; services may be running. The file, one of SQLite whichever database it is
 * of, takes its name only once it is whole and was read back.
 * @throws StartError where there is nothing to copy, where the name is taken, and where reading or writing fails
 */
export async function backUp(place: InstallationPlace, options: BackupOptions): Promise<Backup> {
  if (place.databaseUrl === undefined && !(await exists(databaseFile(place.dataDir)))) {
    throw new StartError(
      `There is no database in ${place.dataDir}`,
      'Set PORTCULLIS_DATA_DIR to the data folder',
    );
  }
  const file = path.resolve(
    options.file ?? path.join(backupsFolder(place.dataDir), `portcullis-${stampOf(options.now)}.sqlite`),
  );
  for (const taken of options.withKeys ? [file, backupKeyFile(file)] : [file]) {
    if (await exists(taken)) {
      throw new StartError(`${taken} exists already`, 'Choose another name: a backup never replaces a file');
    }
  }
  const keyCopy = options.withKeys ? backupKeyFile(file) : undefined;
  await write(place, file).catch((error: unknown) => refuse(file, error));
  if (keyCopy !== undefined) {
    await copyKey(place.dataDir, keyCopy).catch((error: unknown) => refuse(keyCopy, error));
  }
  return { file, bytes: (await stat(file)).size, keyCopy, keyFile: keyFile(place.dataDir) };
}

async function write(place: InstallationPlace, file: string): Promise<void> {
  if (place.databaseUrl === undefined) return copyFileOf(databaseFile(place.dataDir), file);
  const source = await openStorage({ ...place, asItStands: true });
  try {
    await storeAsFile(source, migrations, file, { isBackup: true });
  } finally {
    await source.close();
  }
}

async function copyFileOf(source: string, file: string): Promise<void> {
  const partial = `${file}.partial`;
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await rm(partial, { force: true });
  try {
    await copyDatabase(source, partial);
    const [problem] = integrityProblems(partial);
    if (problem !== undefined) throw new Error(`the database is damaged: ${problem}`);
    sumUp(partial);
    await rename(partial, file);
  } finally {
    // SQLite leaves its journal where the disk is full.
    for (const left of [partial, `${partial}-journal`]) await rm(left, { force: true });
  }
}

async function copyKey(dataDir: string, to: string): Promise<void> {
  await copyFile(keyFile(dataDir), to, constants.COPYFILE_EXCL);
  await chmod(to, 0o600);
}

function refuse(file: string, cause: unknown): never {
  if (cause instanceof StartError) throw cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  throw new StartError(
    `The backup ${file} could not be written (${reason})`,
    'Look at the space and rights of its folder, and at what `portcullis check` says of the database',
    { cause },
  );
}
