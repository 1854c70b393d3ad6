import path from 'node:path';
import { StartError } from '../start-error.ts';
import { type StorageErrorKind, storageErrorKind } from './storage-error.ts';

interface Place {
  readonly dataDir: string;
  readonly databaseUrl?: string | undefined;
}

/** Tells in an operator's words why the database did not open, and what to do. Other errors come back as they are. */
export function explainOpenFailure(error: unknown, place: Place): unknown {
  if (error instanceof StartError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  if (place.databaseUrl !== undefined) return explainPostgres(error, reason, place.databaseUrl);
  const folder = path.resolve(place.dataDir);
  const kind = storageErrorKind(error);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS' || code === 'ENOTDIR' || code === 'EEXIST') {
    return unwritable(folder, reason, error);
  }
  return kind === undefined ? error : explainSqlite(kind, folder, reason, error);
}

function unwritable(folder: string, reason: string, cause: unknown): StartError {
  return new StartError(
    `The data folder ${folder} cannot be written (${reason})`,
    'Make the folder and the files in it writable for the user that runs Portcullis, or set PORTCULLIS_DATA_DIR to another one',
    { cause },
  );
}

function explainSqlite(kind: StorageErrorKind, folder: string, reason: string, cause: unknown): StartError {
  if (kind === 'corrupt') {
    return new StartError(
      `The database in ${folder} is damaged (${reason})`,
      'Keep the file for examination, and restore the newest backup with `portcullis restore`',
      { cause },
    );
  }
  if (kind === 'busy') {
    return new StartError(
      `The database in ${folder} is locked by another process`,
      'Stop the other process that uses this data folder, then start again',
      { cause },
    );
  }
  if (kind === 'full') {
    return new StartError(
      `The disk that holds ${folder} is full`,
      'Free some space, or set PORTCULLIS_DATA_DIR to a folder on another disk',
      { cause },
    );
  }
  return unwritable(folder, reason, cause);
}

function explainPostgres(error: unknown, reason: string, url: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const kind = storageErrorKind(error) ?? (/timeout|terminated/i.test(reason) ? 'unreachable' : undefined);
  if (kind === undefined) return error;
  const server = URL.canParse(url) ? new URL(url).host : 'its server';
  const said = (what: string, mend: string) =>
    new StartError(`PostgreSQL at ${server} ${what} (${reason || code})`, mend, { cause: error });
  if (code.startsWith('28') || code === '3D000') {
    return said('refused the sign-in', 'Check the URL, and that the database and its user exist');
  }
  if (code === '42501') {
    return said(
      'refused its user a right',
      'Make the user the owner of the database, or grant it what is missing',
    );
  }
  if (kind === 'full') return said('has a full disk', 'Free some space on its machine');
  if (kind === 'unreachable') {
    return said(
      'cannot be reached',
      'Check the URL (PORTCULLIS_DATABASE_URL), and that the server runs and takes connections',
    );
  }
  return error;
}

/** Tells why the backup before a schema step failed: then nothing was changed. */
export function explainBackupFailure(error: unknown, file: string): StartError {
  const { message, mend } =
    error instanceof StartError
      ? error
      : { message: String(error), mend: 'Look at the space and rights of its folder' };
  return new StartError(
    `The backup before the schema is brought forward could not be made: ${file} (${message})`,
    `${mend}. Nothing was changed; the version before still runs on this database`,
    { cause: error },
  );
}

/** Tells why a restore ended before it replaced anything. Other errors come back as they are. */
export function explainRestoreFailure(error: unknown, dataDir: string): unknown {
  const folder = path.resolve(dataDir);
  const reason = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOSPC' || code === 'EDQUOT' || storageErrorKind(error) === 'full') {
    return new StartError(
      `The disk that holds ${folder} has no room for what is to be restored (${reason})`,
      'Free some space there: a restore takes that of the backup twice, beside the database before. Nothing was changed',
      { cause: error },
    );
  }
  return explainOpenFailure(error, { dataDir });
}

/** For who finds what a killed restore left, and no database. */
export const restoreInterrupted = (dataDir: string) =>
  new StartError(
    `A restore into ${path.resolve(dataDir)} was interrupted before the database was in its place`,
    'Run `portcullis restore` again. The database before, if there was one, lies in the folder backups there as replaced-….sqlite',
  );

/** The same where the rows were to go into PostgreSQL. */
export const fillInterrupted = (dataDir: string) =>
  new StartError(
    `A restore with the data folder ${path.resolve(dataDir)} has not come to its end, and PostgreSQL holds no installation yet`,
    'Run `portcullis restore` again. To begin anew instead, remove the folder restoring there; a key of before lies in the folder backups as replaced-….sqlite.key',
  );

/** For who takes the database as it stands. */
export const missingDatabase = (dataDir: string) =>
  new StartError(
    `There is no database in ${path.resolve(dataDir)}`,
    'Set PORTCULLIS_DATA_DIR to the data folder of an installation, or start Portcullis once',
  );

/** For who takes the database as it stands. */
export const olderSchema = () =>
  new StartError(
    "The database has an earlier version's schema",
    'Start this version of Portcullis once: it backs the database up and brings it forward',
  );
