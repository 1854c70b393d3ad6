import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TestStorage, testDialects } from '../storage/testing/index.ts';
import { settlementOf } from './delivery.ts';
import {
  changeMessage,
  loadMessage,
  type Message,
  oneLine,
  siteDownMessage,
  siteUpMessage,
} from './messages.ts';
import { enqueue, summarize } from './outbox.ts';
import {
  claim,
  dueNotifications,
  forgetSettled,
  linesOf,
  newestNotifications,
  settle,
} from './repository.ts';

const start = Date.parse('2026-01-15T23:00:00Z');
const shop = { id: 'site_1', name: 'Shop' };
const clockOf = (time: number) => new Date(time).toISOString().slice(11, 16);

for (const dialect of testDialects()) {
  const why = dialect.missing ? ` (${dialect.missing})` : '';
  describe.skipIf(dialect.missing !== undefined)(`the outbox on ${dialect.name}${why}`, () => {
    let storage: TestStorage;
    let now: number;
    const put = (message: Message, quiet = false) =>
      storage.transaction((trx) => enqueue(trx, message, 'email', { now, held: quiet }));
    const all = () => newestNotifications(storage.db, 50);
    const subjects = async () => (await all()).map(({ subject }) => subject);

    beforeEach(async () => {
      storage = await dialect.open();
      now = start;
    });
    afterEach(() => storage.close());
    afterAll(() => dialect.stop());

    it('tells of a site that is down once, and that it is up only after that', async () => {
      expect(await put(siteUpMessage(shop))).toBe(false);
      expect(await put(siteDownMessage(shop, undefined))).toBe(true);
      now += 1000;
      expect(await put(siteDownMessage(shop, undefined))).toBe(false);
      expect(await put(siteUpMessage(shop))).toBe(true);
      now += 1000;
      expect(await put(siteUpMessage(shop))).toBe(false);
      expect(await put(siteDownMessage({ id: 'site_2', name: 'Blog' }, 'timeout'))).toBe(true);
      expect(await subjects()).toEqual(['Site Blog is down', 'Site Shop is up again', 'Site Shop is down']);
    });

    it('does not repeat that load is high for a quarter of an hour', async () => {
      expect(await put(loadMessage(90, 85))).toBe(true);
      now += 14 * 60_000;
      expect(await put(loadMessage(91, 85))).toBe(false);
      now += 2 * 60_000;
      expect(await put(loadMessage(92, 85))).toBe(true);
    });

    it('repeats and tries again what a clock that was ahead would keep silent or waiting', async () => {
      expect(await put(loadMessage(90, 85))).toBe(true);
      now -= 86_400_000;
      expect(await put(loadMessage(91, 85))).toBe(true);
      now += 1000;
      expect(await put(loadMessage(92, 85))).toBe(false);
      const due = await dueNotifications(storage.db, 'email', now, 10);
      expect(due).toHaveLength(2);
      for (const row of due) expect(await claim(storage.db, row, now + 120_000)).toBe(true);
      expect(await dueNotifications(storage.db, 'email', now, 10)).toEqual([]);
    });

    it('gathers a burst of changes into one message', async () => {
      for (const rule of ['one', 'two', 'three']) {
        await put(changeMessage('rule_change', `Rule ${rule} was created`, 'ada@example.com'));
        now += 1000;
      }
      expect(await dueNotifications(storage.db, 'email', now, 10)).toEqual([]);
      const [row, ...others] = await dueNotifications(storage.db, 'email', now + 20_000, 10);
      expect(others).toEqual([]);
      expect(row && linesOf(row)).toHaveLength(3);
      expect(row?.occurrences).toBe(3);
    });

    it('holds what comes in the quiet hours and sums it up, so that nothing is lost', async () => {
      await put(siteDownMessage(shop, undefined), true);
      now += 60_000;
      await put(loadMessage(97, 85), true);
      expect(await dueNotifications(storage.db, 'email', now + 86_400_000, 10)).toEqual([]);
      now += 9 * 3_600_000;
      await storage.transaction((trx) => summarize(trx, 'email', now, clockOf));
      await storage.transaction((trx) => summarize(trx, 'email', now, clockOf));
      const [summary, ...others] = await dueNotifications(storage.db, 'email', now, 10);
      expect(others).toEqual([]);
      expect(summary?.subject).toBe('2 notifications from the quiet hours');
      expect(summary && linesOf(summary)).toEqual(['23:00 Site Shop is down', '23:01 High load: 97%']);
      await settle(storage.db, summary?.id ?? '', { status: 'sent', nextAt: null, error: null });
      expect((await all()).map(({ status }) => status)).toEqual(['sent', 'sent', 'sent']);
    });

    it('adds nothing to what a summary tells already, for its words are fixed', async () => {
      await put(changeMessage('rule_change', 'Rule one was created', 'ada@example.com'), true);
      await storage.transaction((trx) => summarize(trx, 'email', now, clockOf));
      now += 1000;
      await put(changeMessage('rule_change', 'Rule two was created', 'ada@example.com'));
      const due = await dueNotifications(storage.db, 'email', now + 20_000, 10);
      expect(due.map(({ event }) => event)).toEqual(['summary', 'rule_change']);
      expect(due.flatMap(linesOf).join()).toContain('Rule two');
    });

    const down = (id: string) => siteDownMessage({ id, name: id }, undefined);
    const up = (id: string) => siteUpMessage({ id, name: id });
    const sum = () => storage.transaction((trx) => summarize(trx, 'email', now, clockOf));

    it('settles a summary and what it told of at once or not at all, so that a process that dies leaves none held', async () => {
      await put(down('site_1'), true);
      await sum();
      const [summary] = await dueNotifications(storage.db, 'email', now, 10);
      let statements = 0;
      const dying = storage.db.withPlugin({
        transformQuery({ node }) {
          statements += 1;
          if (statements > 1) throw new Error('The process died');
          return node;
        },
        transformResult: async ({ result }) => result,
      });
      await settle(dying, summary?.id ?? '', { status: 'sent', nextAt: null, error: null }).catch(() => {});
      expect((await all()).map(({ status }) => status)).toEqual(['sent', 'sent']);
    });

    it('waits for nothing that a summary left held when it was sent', async () => {
      await put(down('site_1'), true);
      now += 1000;
      await sum();
      await storage.db
        .updateTable('notifications')
        .set({ status: 'sent' })
        .where('event', '=', 'summary')
        .execute();
      now += 1000;
      await put(up('site_1'));
      const due = await dueNotifications(storage.db, 'email', now, 10);
      expect(due.map(({ subject }) => subject)).toEqual(['Site site_1 is up again']);
    });

    it('sends two summaries that wait for each other after a clock was set back', async () => {
      await put(down('b'));
      await storage.db.updateTable('notifications').set({ status: 'sent', next_at: null }).execute();
      const at = async (ms: number, message: Message) => {
        now = start + ms;
        expect(await put(message, true)).toBe(true);
      };
      await at(400, down('a'));
      await at(1000, up('b'));
      await sum();
      await at(450, down('b'));
      await at(600, up('a'));
      await sum();
      const due = async (ms: number) =>
        (await dueNotifications(storage.db, 'email', start + ms, 10)).map(({ event }) => event);
      const sixHoursMs = 6 * 3_600_000;
      expect(await due(sixHoursMs)).toEqual([]);
      expect(await due(sixHoursMs + 1000)).toEqual(['summary', 'summary']);
    });

    const nightMs = 7 * 3_600_000;
    const dueTogether = async () =>
      (await dueNotifications(storage.db, 'email', now, 10)).map(({ subject }) => subject);

    it('keeps the order of a site where nobody could be reached for longer than a turn', async () => {
      await put(down('site_1'));
      now += 1000;
      await put(up('site_1'));
      now += nightMs;
      expect(await dueTogether()).toEqual(['Site site_1 is down']);
      const [first] = await dueNotifications(storage.db, 'email', now, 10);
      expect(await claim(storage.db, first!, now + 120_000)).toBe(true);
      expect(await dueTogether()).toEqual([]);
      await settle(storage.db, first!.id, { status: 'retrying', nextAt: now + 600_000, error: 'no' });
      expect(await dueTogether()).toEqual([]);
      await settle(storage.db, first!.id, { status: 'sent', nextAt: null, error: null });
      expect(await dueTogether()).toEqual(['Site site_1 is up again']);
    });

    it('keeps it where the older one stands in a summary, and passes one that is put off', async () => {
      await put(down('site_1'), true);
      await sum();
      now += 1000;
      await put(up('site_1'));
      now += nightMs;
      expect(await dueTogether()).toEqual(['1 notification from the quiet hours']);
      const [summary] = await dueNotifications(storage.db, 'email', now, 10);
      await settle(storage.db, summary?.id ?? '', {
        status: 'retrying',
        nextAt: now + 3_600_000,
        error: 'no',
      });
      expect(await dueTogether()).toEqual(['Site site_1 is up again']);
    });

    it('forgets what a summary left held that was sent, and not what waits for one', async () => {
      await put(down('site_1'), true);
      await sum();
      const left = { status: 'sent', next_at: null };
      await storage.db.updateTable('notifications').set(left).where('event', '=', 'summary').execute();
      await put(down('site_2'), true);
      await forgetSettled(storage.db, now);
      expect(await subjects()).toHaveLength(3);
      await forgetSettled(storage.db, now + 1);
      expect(await subjects()).toEqual(['Site site_2 is down']);
      await sum();
      await forgetSettled(storage.db, now + 1);
      expect(await subjects()).toHaveLength(2);
    });

    it('gives an attempt to one process alone, and back where that process died', async () => {
      await put(siteDownMessage(shop, undefined));
      const [row] = await dueNotifications(storage.db, 'email', now, 10);
      const claims = await Promise.all([1, 2].map(() => claim(storage.db, row!, now + 120_000)));
      expect(claims.filter(Boolean)).toHaveLength(1);
      expect(await dueNotifications(storage.db, 'email', now + 119_999, 10)).toEqual([]);
      expect(await dueNotifications(storage.db, 'email', now + 120_000, 10)).toHaveLength(1);
    });
  });
}

describe('an attempt that failed', () => {
  const failed = { sent: false, reason: 'no', mayPass: true } as const;

  it('is made again later and later, and then given up', () => {
    const waits = [1, 2, 3, 4, 5, 6].map((attempts) => settlementOf(failed, attempts, 0).nextAt);
    expect(waits).toEqual([30_000, 120_000, 600_000, 1_800_000, 7_200_000, null]);
    expect(settlementOf(failed, 6, 0)).toEqual({ status: 'failed', nextAt: null, error: 'no' });
  });

  it('waits as long as the receiver asks, and is not made again where it cannot go better', () => {
    expect(settlementOf({ ...failed, retryAfterSeconds: 90 }, 1, 0).nextAt).toBe(90_000);
    for (const forEver of [1e9, 1e300]) {
      expect(settlementOf({ ...failed, retryAfterSeconds: forEver }, 1, 0).nextAt).toBe(6 * 3_600_000);
    }
    expect(settlementOf({ ...failed, mayPass: false }, 1, 0).status).toBe('failed');
  });
});

describe('text from outside', () => {
  it('becomes one line', () => {
    expect(oneLine('Shop\r\nBcc: all@example.com\u0000\u202e')).toBe('Shop Bcc: all@example.com');
    expect(oneLine('x'.repeat(1000))).toHaveLength(300);
  });
});
