// A service as far as duty goes: while it is on duty, a job of its writes down who did it and when, by the database's
// clock. Started as `node working.ts DATABASE_URL NAME`.
import { sql } from 'kysely';
import { createJobs } from '../../jobs/index.ts';
import { openStorage } from '../../storage/index.ts';
import { createDuty } from '../index.ts';

const [databaseUrl = '', name = ''] = process.argv.slice(2);
const log = { info: () => {}, warn: () => {}, error: () => {} };
const storage = await openStorage({ dataDir: '', databaseUrl, asItStands: true });
const duty = createDuty(storage, log);
const write = {
  name: 'write down that it was done',
  everyMs: 200,
  async run() {
    await sql`insert into done values (${name}, extract(epoch from clock_timestamp()) * 1000)`.execute(
      storage.db,
    );
  },
};
await duty.start();
createJobs({ storage, log, duty, now: Date.now, clock: { reason: undefined } }, [write]).start();
// Neither keeps a process alive that does nothing else.
setInterval(() => {}, 60_000);
