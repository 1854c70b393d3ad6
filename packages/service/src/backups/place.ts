import path from 'node:path';
import { sqliteFileName } from '../storage/index.ts';

export const databaseFile = (dataDir: string) => path.join(dataDir, sqliteFileName);

/** Where backups and replaced databases lie unless the operator says otherwise. */
export const backupsFolder = (dataDir: string) => path.join(dataDir, 'backups');

/** Where the key file lies beside a backup that was made with it. */
export const backupKeyFile = (backup: string) => `${backup}.key`;

/** @param time Unix milliseconds. @returns it as part of a file name, which sorts by time */
export const stampOf = (time: number) => new Date(time).toISOString().replace(/[-:.]/g, '');
