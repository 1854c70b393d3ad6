// A process that stores batches until it is ended from outside, and says the id of each that it was told is kept.
// Started as `node endless-writer.ts DATA_DIR [DATABASE_URL]`.
import { openStorage } from '../../storage/index.ts';
import { batch, securityEvent } from '../../testing/index.ts';
import { createIntake } from '../index.ts';

const eventsPerBatch = 50;
const [dataDir = '', databaseUrl] = process.argv.slice(2);
const log = { info: () => {}, warn: () => {}, error: () => {} };
const storage = await openStorage({ dataDir, databaseUrl });
const intake = createIntake({ storage, log, now: Date.now });
for (;;) {
  const events = Array.from({ length: eventsPerBatch }, () => securityEvent());
  const given = batch({ events });
  const delivery = await intake.accept(given);
  if (!delivery.delivered) throw new Error(delivery.reason);
  process.stdout.write(`${events.map(({ id }) => id).join(' ')}\n`);
}
