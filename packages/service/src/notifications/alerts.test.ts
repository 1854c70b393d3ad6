import type { NotificationSettingsUpdate } from '@portcullis/contract/notifications';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AlertKeeper, conditionsOf } from '../alerts/index.ts';
import { loadSealer, type Sealer } from '../sealing/index.ts';
import { type TestStorage, testDialects } from '../storage/testing/index.ts';
import { createNotifications, type Notifications } from './notifications.ts';
import { newestNotifications } from './repository.ts';
import { changeSettings } from './settings.ts';
import { readNotificationSettings, writeNotificationSettings } from './settings-repository.ts';
import { type HttpReceiver, httpReceiver } from './testing/index.ts';

const noon = Date.parse('2026-01-15T12:00:00Z');
type Certificates = NonNullable<Parameters<typeof conditionsOf>[0]['certificates']>;

for (const dialect of testDialects()) {
  const why = dialect.missing ? ` (${dialect.missing})` : '';
  describe.skipIf(dialect.missing !== undefined)(`messages of alerts on ${dialect.name}${why}`, () => {
    let storage: TestStorage;
    let sealer: Sealer;
    let slack: HttpReceiver;
    let keeper: AlertKeeper;
    let notifications: Notifications;
    let now: number;
    let gone: readonly string[];
    let certificates: Certificates;

    const begin = () => {
      keeper = new AlertKeeper(storage, () => now);
      notifications = createNotifications({
        storage,
        sealer,
        log: { info: () => {}, warn: () => {}, error: () => {} },
        now: () => now,
        duty: { held: true },
        siteStates: () => [],
        loadPercent: () => undefined,
        siteName: () => 'Shop',
        publicUrl: 'https://console.example.com',
      });
    };
    const save = (patch: NotificationSettingsUpdate = {}) =>
      storage.transaction(async (trx) => {
        const change = { ...patch, slack: { enabled: true, webhookUrl: slack.url, ...patch.slack } };
        const changed = changeSettings(await readNotificationSettings(trx, sealer), change);
        if (!changed.ok) throw new Error(JSON.stringify(changed));
        await writeNotificationSettings(trx, sealer, changed.value, now);
      });
    /** Looks as long as it takes for a condition to become an alert, and to be told. */
    const pass = async () => {
      for (let look = 0; look < 3; look += 1) {
        const warnings = [{ code: 'absent', text: 'Not heard of for 12 s' }];
        const sample = { cpu_usage: 99, memory_usage: 1, disk_usage: 1 } as never;
        const sites = [{ id: 'site_1', name: 'Shop', enabled: true }];
        const fleet = gone.map((id) => ({ id, warnings }));
        const conditions = conditionsOf({ sample, sites, healthy: () => false, fleet, certificates });
        notifications.onAlerts(await keeper.look(conditions));
        now += 2000;
      }
      await notifications.tick();
    };
    const subjects = () =>
      slack.received.map(({ body }) => /^\*\[Portcullis\] (.*)\*$/m.exec(String(body.text))?.[1]);
    const warning = (code: 'ending' | 'expired', text: string): Certificates => [
      { siteId: 'site_1', siteName: 'Shop', domain: 'shop.example.com', code, text },
    ];

    beforeEach(async () => {
      storage = await dialect.open();
      sealer = await loadSealer(storage.dataDir);
      slack = await httpReceiver();
      now = noon;
      gone = [];
      certificates = [];
      begin();
    });
    afterEach(async () => {
      await notifications.stop();
      await slack.stop();
      await storage.close();
    });
    afterAll(() => dialect.stop());

    it('tell once that a gateway is gone and that it is back, over a restart too', async () => {
      await save();
      await pass();
      expect(subjects()).toEqual([]);
      gone = ['gateway-2'];
      await pass();
      await pass();
      begin();
      await pass();
      expect(subjects()).toEqual(['gateway-2: Not heard of for 12 s']);
      expect(String(slack.received[0]?.body.text)).toContain('https://console.example.com/monitoring');
      begin();
      gone = [];
      await pass();
      await pass();
      expect(subjects().slice(1)).toEqual(['Over: gateway-2: Not heard of for 12 s']);
      gone = ['gateway-2'];
      now += 15 * 60_000;
      await pass();
      expect(subjects()).toHaveLength(3);
    });

    it('are told again soon after they were over only where they last', async () => {
      await save();
      for (let swing = 0; swing < 20; swing += 1) {
        gone = swing % 2 === 0 ? ['gateway-2'] : [];
        await pass();
      }
      const once = ['gateway-2: Not heard of for 12 s', 'Over: gateway-2: Not heard of for 12 s'];
      expect(subjects()).toEqual(once);
      gone = ['gateway-2'];
      await pass();
      begin();
      await pass();
      expect(subjects()).toEqual(once);
      now += 15 * 60_000;
      await pass();
      gone = [];
      await pass();
      expect(subjects()).toEqual([...once, ...once]);
    });

    it('that come and go many at once are summed up once, and again where they last', async () => {
      await save();
      const all = Array.from({ length: 40 }, (_, index) => `gateway-${index}`);
      for (let swing = 0; swing < 5; swing += 1) {
        gone = swing % 2 === 0 ? all : [];
        await pass();
      }
      const summaries = ['40 notifications at once', '40 notifications at once'];
      expect(subjects()).toEqual(summaries);
      now += 15 * 60_000;
      await pass();
      expect(subjects()).toEqual([...summaries, '40 notifications at once']);
    });

    it('leave sites that are down and load to their own events', async () => {
      await save();
      await pass();
      await pass();
      expect(await newestNotifications(storage.db, 9)).toEqual([]);
    });

    it('tell of a certificate that it ends and that it ended, and not that the first is over', async () => {
      await save();
      certificates = warning('ending', 'it ends on 2026-01-20');
      await pass();
      certificates = warning('expired', 'it ended on 2026-01-20');
      await pass();
      certificates = [];
      await pass();
      const name = 'Certificate of Shop (shop.example.com)';
      expect(subjects()).toEqual([
        `${name}: it ends on 2026-01-20`,
        `${name}: it ended on 2026-01-20`,
        `Over: ${name}: it ended on 2026-01-20`,
      ]);
      expect(String(slack.received[0]?.body.text)).toContain('/sites?site=site_1');
      expect(await newestNotifications(storage.db, 9)).toMatchObject([
        { event: 'system_over', level: 'ok', site_id: 'site_1', site_name: 'Shop' },
        { event: 'system', level: 'critical' },
        { event: 'system', level: 'warning' },
      ]);
    });

    it('are none while their toggle is off', async () => {
      await save({ notifications: { notifyOnSystem: false } });
      gone = ['gateway-2'];
      await pass();
      await save({ notifications: { notifyOnSystem: true } });
      await pass();
      expect(subjects()).toEqual([]);
    });

    it('tell who turns a channel on of what lasts', async () => {
      gone = ['gateway-2'];
      await pass();
      await save();
      await pass();
      expect(subjects()).toEqual(['gateway-2: Not heard of for 12 s']);
    });

    it('are held in the quiet hours, and what began and ended within them is summed up', async () => {
      await save({ quietHours: { enabled: true, startHour: 11, endHour: 13 } });
      gone = ['gateway-2'];
      await pass();
      gone = [];
      await pass();
      expect(subjects()).toEqual([]);
      now += 3_600_000;
      await pass();
      expect(subjects()).toEqual(['2 notifications from the quiet hours']);
    });

    it('share one message where many begin at once, and are told one by one where few end', async () => {
      await save();
      const all = Array.from({ length: 40 }, (_, index) => `gateway-${index}`);
      gone = all;
      await pass();
      expect(subjects()).toEqual(['40 notifications at once']);
      gone = all.slice(1);
      await pass();
      expect(subjects().slice(1)).toEqual(['Over: gateway-0: Not heard of for 12 s']);
    });
  });
}
