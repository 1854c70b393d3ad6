import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { retention } from '../jobs/index.ts';
import { writeSetting } from '../settings/index.ts';
import { type TestStorage, testDialects } from '../storage/testing/index.ts';
import { batch, counters, securityEvent } from '../testing/index.ts';
import { readTotals } from '../traffic/index.ts';
import { createIntake, newestEvents } from './index.ts';
import { daysToDrop, retain } from './retention.ts';

const day = 86_400_000;
const noon = Date.UTC(2026, 2, 10, 12);
const log = { info: () => {}, warn: () => {}, error: () => {} };

describe('retention', () => {
  const days = [20260301, 20260308, 20260309, 20260310].map((one) => ({ day: one, bytes: 100 }));

  it('drops days that are over, counting today as the first', () => {
    expect(daysToDrop(days, { days: 3, bytes: 1e9 }, noon)).toEqual([20260301]);
    expect(daysToDrop(days, { days: 1, bytes: 1e9 }, noon)).toEqual([20260301, 20260308, 20260309]);
    expect(daysToDrop(days, { days: 30, bytes: 1e9 }, noon)).toEqual([]);
  });

  it('drops the oldest days until the bytes fit, and never today', () => {
    expect(daysToDrop(days, { days: 30, bytes: 250 }, noon)).toEqual([20260301, 20260308]);
    expect(daysToDrop(days, { days: 3, bytes: 250 }, noon)).toEqual([20260301, 20260308]);
    expect(daysToDrop(days, { days: 30, bytes: 0 }, noon)).toEqual([20260301, 20260308, 20260309]);
  });

  it('drops by bytes alone where the time is in doubt, and never the newest day', () => {
    const ahead = noon + 400 * day;
    expect(daysToDrop(days, { days: undefined, bytes: 1e9 }, ahead)).toEqual([]);
    expect(daysToDrop(days, { days: undefined, bytes: 250 }, ahead)).toEqual([20260301, 20260308]);
    expect(daysToDrop(days, { days: undefined, bytes: 0 }, ahead)).toEqual([20260301, 20260308, 20260309]);
  });
});

for (const dialect of testDialects()) {
  const title = `retention on ${dialect.name}${dialect.missing ? ` (${dialect.missing})` : ''}`;
  describe.skipIf(dialect.missing !== undefined)(title, () => {
    let storage: TestStorage;
    beforeEach(async () => {
      storage = await dialect.open();
    });
    afterEach(() => storage.close());
    afterAll(() => dialect.stop());

    it('takes old events and fine figures, keeps totals, and takes new events of a dropped day again', async () => {
      const intake = createIntake({ storage, log, now: () => noon });
      const old = noon - 20 * day;
      const events = [securityEvent({ time: old }), securityEvent({ time: noon })];
      await intake.accept(batch({ events, counters: [counters({ minute: old, requests: 4 })] }));
      expect(await retain(storage, { days: 7, bytes: 1e9 }, noon)).toEqual([20260218]);
      expect(await newestEvents(storage, { limit: 9 })).toEqual([events[1]]);
      expect(await readTotals(storage.read)).toMatchObject([{ requests: 4 }]);
      expect(await storage.read.selectFrom('traffic_minute').selectAll().execute()).toEqual([]);
      expect(await retain(storage, { days: 7, bytes: 1e9 }, noon)).toEqual([]);
      const classes = await storage.read.selectFrom('event_classes').select('day').execute();
      expect(classes).toEqual([{ day: 20260310 }]);
      const late = securityEvent({ time: old });
      expect(await intake.accept(batch({ events: [late] }))).toEqual({ delivered: true });
      expect(await newestEvents(storage, { limit: 9 })).toEqual([events[1], late]);
    });

    it('forgets alerts that ended longer ago than events are kept, and none that holds', async () => {
      const alert = (id: string, ended_at: number | null) => ({
        ...{ id, key: id, type: 'cpu', message: 'CPU', site_id: null },
        ...{ started_at: noon - 90 * day, ended_at },
      });
      const rows = [alert('old', noon - 31 * day), alert('fresh', noon - day), alert('active', null)];
      await storage.db.insertInto('alerts').values(rows).execute();
      await retain(storage, { days: 30, bytes: 1e9 }, noon);
      const left = await storage.read.selectFrom('alerts').select('id').orderBy('id').execute();
      expect(left.map(({ id }) => id)).toEqual(['active', 'fresh']);
    });

    it('keeps as many bytes of events as the settings say, and measures them as they are written', async () => {
      const intake = createIntake({ storage, log, now: () => noon });
      const times = [noon - 2 * day, noon - day, noon];
      const path = '/🦊'.repeat(100);
      await intake.accept(batch({ events: times.map((time) => securityEvent({ time, path })) }));
      const days = await storage.read.selectFrom('event_days').select('bytes').execute();
      for (const { bytes } of days) expect(bytes).toBeGreaterThan(2 * Buffer.byteLength(path));
      // As much as would fill a disk, without writing it.
      const large = 1.5 * 1024 ** 3;
      await storage.db.updateTable('event_days').set({ bytes: large }).execute();
      const daysLeft = async (logRetentionGigabytes: number, now = noon, reason?: string) => {
        await writeSetting(storage.db, 'general', JSON.stringify({ logRetentionGigabytes }), noon);
        await retention.run({ storage, log, now: () => now, duty: { held: true }, clock: { reason } });
        return (await storage.read.selectFrom('event_days').select('day').execute()).length;
      };
      expect(await daysLeft(5)).toBe(3);
      expect(await daysLeft(5, noon + 400 * day, 'ahead')).toBe(3);
      expect(await daysLeft(3, noon + 400 * day, 'ahead')).toBe(2);
      expect(await daysLeft(1)).toBe(1);
    });
  });
}
