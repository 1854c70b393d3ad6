// A process that restores a backup with its key, to be ended from outside in the middle of it.
// Started as `node restoring.ts DATA_DIR DATABASE_URL FILE`.
import { restoreBackup } from '../index.ts';

const [dataDir = '', databaseUrl, file = ''] = process.argv.slice(2);
await restoreBackup({ dataDir, databaseUrl }, { file, withKeys: true, now: Date.now() });
