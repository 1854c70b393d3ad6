import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TestStorage, testDialects } from '../storage/testing/index.ts';
import { batch, counters, securityEvent } from '../testing/index.ts';
import { readHours, readRecent, readTotals } from '../traffic/index.ts';
import { createIntake, type EventIntake, newestEvents } from './index.ts';

const day = 86_400_000;
const noon = Date.UTC(2026, 2, 1, 12);

for (const dialect of testDialects()) {
  const title = `the intake on ${dialect.name}${dialect.missing ? ` (${dialect.missing})` : ''}`;
  describe.skipIf(dialect.missing !== undefined)(title, () => {
    let storage: TestStorage;
    let intake: EventIntake;
    const shown: string[] = [];
    const logged: unknown[] = [];
    beforeEach(async () => {
      storage = await dialect.open();
      shown.length = 0;
      logged.length = 0;
      const log = { info: () => {}, warn: () => {}, error: (...line: unknown[]) => void logged.push(line) };
      intake = createIntake({ storage, log, now: () => noon });
      intake.subscribe((events) => shown.push(...events.map((event) => event.id)));
    });
    afterEach(() => storage.close());
    afterAll(() => dialect.stop());
    const stored = (filter = {}) => newestEvents(storage, { limit: 100, ...filter });

    it('keeps a batch once, however often it comes', async () => {
      const given = batch({
        events: [securityEvent({ time: noon })],
        counters: [counters({ minute: noon, requests: 2, blocked: 1, durationMs: 1.5 })],
      });
      for (let time = 0; time < 3; time++) expect(await intake.accept(given)).toEqual({ delivered: true });
      expect(await stored()).toEqual(given.events);
      expect(shown).toEqual([given.events[0]?.id]);
      expect(await readTotals(storage.read)).toMatchObject([{ site_id: '', requests: 2, blocked: 1 }]);
    });

    it('keeps an event once that comes in two batches, and shows it once', async () => {
      const event = securityEvent({ time: noon });
      await Promise.all([
        intake.accept(batch({ events: [event] })),
        intake.accept(batch({ events: [event, event] })),
      ]);
      expect(await stored()).toHaveLength(1);
      expect(shown).toEqual([event.id]);
      const days = await storage.read.selectFrom('event_days').selectAll().execute();
      expect(days).toMatchObject([{ day: 20260301, entries: 1 }]);
    });

    it('reads over the days, newest first', async () => {
      const times = [noon, noon - day, noon - 2 * day, noon - 2 * day - 1];
      await intake.accept(batch({ events: times.map((time) => securityEvent({ time })) }));
      expect((await stored({ limit: 3 })).map((event) => event.time)).toEqual(times.slice(0, 3));
      expect((await stored({ since: noon - day })).map((event) => event.time)).toEqual(times.slice(0, 2));
    });

    it("keeps whatever bytes an attacker's path holds", async () => {
      const path = '/\u0000\ud800%00\u202e<script>🦊';
      await intake.accept(batch({ events: [securityEvent({ time: noon, path })] }));
      expect((await stored())[0]?.path).toBe(path);
    });

    it('counts in the present minute what a gateway counted by a clock that runs far ahead', async () => {
      const minute = noon + 30 * day;
      await intake.accept(batch({ counters: [counters({ minute, requests: 3 })] }));
      const rows = await storage.read.selectFrom('traffic_minute').select(['time', 'requests']).execute();
      expect(rows).toEqual([{ time: noon, requests: 3 }]);
    });

    it("corrects a gateway's clock that runs far ahead", async () => {
      await intake.accept(batch({ events: [securityEvent({ time: noon + 400 * day })] }));
      expect((await stored())[0]?.time).toBe(noon);
    });

    it('adds counters up by minute, hour and site', async () => {
      const at = (minute: number, siteId: string) =>
        counters({
          siteId,
          minute: noon + minute * 60_000,
          requests: 1,
          statuses: [0, 0, 0, 0, 1],
          durationMs: 10,
        });
      await Promise.all([
        intake.accept(batch({ counters: [at(0, 'a'), at(0, 'b'), at(1, 'a')] })),
        intake.accept(batch({ counters: [at(1, 'a'), at(60, 'a'), at(0, 'b')] })),
      ]);
      expect(await readHours(storage.read, noon)).toEqual([
        { time: noon, requests: 5, blocked: 0 },
        { time: noon + 3_600_000, requests: 1, blocked: 0 },
      ]);
      const recent = await readRecent(storage.read, noon + 60_000);
      expect(recent).toEqual([{ site_id: 'a', requests: 3, blocked: 0, status_5xx: 3, duration_ms: 30 }]);
    });

    it('asks for a batch again that it could not store, and loses nothing of it', async () => {
      const given = batch({ events: [securityEvent({ time: noon })] });
      await storage.db.schema.alterTable('event_days').renameTo('moved').execute();
      expect(await intake.accept(given)).toMatchObject({ delivered: false });
      expect(logged).toHaveLength(1);
      await storage.db.schema.alterTable('moved').renameTo('event_days').execute();
      expect(await intake.accept(given)).toEqual({ delivered: true });
      expect(await stored()).toEqual(given.events);
    });
  });
}
