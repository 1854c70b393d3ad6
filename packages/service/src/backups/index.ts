export { type Backup, backUp } from './back-up.ts';
export { type Restored, restoreBackup } from './restore.ts';
