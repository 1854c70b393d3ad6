// A process that brings a database forward and is ended without a word within a step, once all of it was done but
// before it is there for good. Started as `node migrating.ts DATA_DIR STEP [DATABASE_URL]`.
import { migrations } from '../migrations/index.ts';
import { openStorage } from '../storage.ts';

const [dataDir = '', last, databaseUrl] = process.argv.slice(2);
const steps = migrations.map((migration) => ({
  ...migration,
  async up(context: Parameters<typeof migration.up>[0]) {
    await migration.up(context);
    if (migration.name === last) process.kill(process.pid, 'SIGKILL');
  },
}));
await openStorage({ dataDir, databaseUrl, migrations: steps });
