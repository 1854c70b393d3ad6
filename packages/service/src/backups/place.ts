import path from 'node:path';
import type { InstallationPlace } from '../maintenance.ts';
import { StartError } from '../start-error.ts';
import { sqliteFileName } from '../storage/index.ts';

export const databaseFile = (dataDir: string) => path.join(dataDir, sqliteFileName);

/** Where backups and replaced databases lie unless the operator says otherwise. */
export const backupsFolder = (dataDir: string) => path.join(dataDir, 'backups');

/** Where the key file lies beside a backup that was made with it. */
export const backupKeyFile = (backup: string) => `${backup}.key`;

/** @param time Unix milliseconds. @returns it as part of a file name, which sorts by time */
export const stampOf = (time: number) => new Date(time).toISOString().replace(/[-:.]/g, '');

/** PostgreSQL has tools of its own that know all of it. @throws StartError that names them */
export function refusePostgres({ databaseUrl }: InstallationPlace): void {
  if (databaseUrl === undefined) return;
  throw new StartError(
    'PORTCULLIS_DATABASE_URL names PostgreSQL, whose backups are made with pg_dump and restored with pg_restore',
    'Use pg_dump, and keep secrets/master.key of the data folder with the dump: without it the stored secrets cannot be opened',
  );
}
