import type { NotificationSettingsUpdate } from '@portcullis/contract/notifications';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAuditLog } from '../audit/index.ts';
import type { Resolver } from '../outgoing/index.ts';
import { loadSealer, type Sealer } from '../sealing/index.ts';
import { writeSetting } from '../settings/index.ts';
import { type TestStorage, testDialects } from '../storage/testing/index.ts';
import { securityEvent } from '../testing/index.ts';
import { attacksIn } from './attack-window.ts';
import { createNotifications, type Notifications } from './notifications.ts';
import { newestNotifications } from './repository.ts';
import { changeSettings } from './settings.ts';
import { readNotificationSettings, writeNotificationSettings } from './settings-repository.ts';
import type { SiteState } from './site-watch.ts';
import { type HttpReceiver, httpReceiver, type MailReceiver, mailReceiver } from './testing/index.ts';

const noon = Date.parse('2026-01-15T12:00:00Z');

for (const dialect of testDialects()) {
  const why = dialect.missing ? ` (${dialect.missing})` : '';
  describe.skipIf(dialect.missing !== undefined)(`notifications on ${dialect.name}${why}`, () => {
    let storage: TestStorage;
    let sealer: Sealer;
    let slack: HttpReceiver;
    let mail: MailReceiver;
    let notifications: Notifications;
    let now: number;
    let sites: SiteState[];
    let load: number | undefined;
    let logged: string[];
    let addressesOf: Resolver;

    const save = (patch: NotificationSettingsUpdate) =>
      storage.transaction(async (trx) => {
        const changed = changeSettings(await readNotificationSettings(trx, sealer), patch);
        if (!changed.ok) throw new Error(JSON.stringify(changed));
        await writeNotificationSettings(trx, sealer, changed.value, now);
      });
    const siteName = (id: string) => (id === 'site_1' ? 'Shop' : undefined);
    const attacksOf = (event: Parameters<typeof securityEvent>[0]) =>
      attacksIn([securityEvent(event)], now, siteName);
    const byMail = () => ({
      enabled: true,
      address: 'ops@example.com, boss@example.com',
      senderEmail: 'gate@example.com',
      smtpHost: '127.0.0.1',
      smtpPort: mail.port,
      smtpSecurity: 'none' as const,
    });
    const bySlack = () => ({
      enabled: true,
      webhookUrl: `${slack.url}/services/T0/B0/secret`,
      username: 'gate',
    });
    const ticks = async (times: number) => {
      for (let tick = 0; tick < times; tick += 1) {
        await notifications.tick();
        now += 5000;
      }
    };
    const texts = () => slack.received.map(({ body }) => String(body.text));

    beforeEach(async () => {
      storage = await dialect.open();
      sealer = await loadSealer(storage.dataDir);
      slack = await httpReceiver();
      mail = await mailReceiver();
      now = noon;
      sites = [];
      load = undefined;
      logged = [];
      addressesOf = async () => ['127.0.0.1'];
      const log = {
        info: () => {},
        warn: (message: string, fields?: unknown) => void logged.push(message + JSON.stringify(fields)),
        error: (message: string, fields?: unknown) => void logged.push(message + JSON.stringify(fields)),
      };
      notifications = createNotifications({
        storage,
        sealer,
        log,
        now: () => now,
        duty: { held: true },
        siteStates: () => sites,
        loadPercent: () => load,
        siteName,
        resolver: (host) => addressesOf(host),
      });
    });
    afterEach(async () => {
      await notifications.stop();
      await slack.stop();
      await mail.stop();
      await storage.close();
    });
    afterAll(() => dialect.stop());

    it('tell of attacks by mail and chat once the threshold is reached, and not again at once', async () => {
      await save({ email: byMail(), slack: bySlack(), notifications: { attackThreshold: 3 } });
      const attack = { time: now, siteId: 'site_1', clientIp: '203.0.113.9' };
      notifications.onAttacks(attacksOf(attack));
      await ticks(1);
      expect(slack.received).toEqual([]);
      notifications.onAttacks(attacksOf({ ...attack, count: 4 }));
      await ticks(2);
      expect(slack.received).toHaveLength(1);
      expect(slack.received[0]).toMatchObject({
        url: '/services/T0/B0/secret',
        body: { channel: '#security-alerts', username: 'gate' },
      });
      expect(texts()[0]).toContain('5 attacks within a minute');
      expect(texts()[0]).toContain('Sites: Shop (5)');
      expect(mail.mails).toHaveLength(1);
      expect(mail.mails[0]).toMatchObject({
        from: 'gate@example.com',
        to: ['ops@example.com', 'boss@example.com'],
      });
      expect(mail.mails[0]?.text).toContain('Subject: [Portcullis] 5 attacks within a minute');
      expect(logged).toEqual([]);
    });

    it('do not take old events that a gateway had kept for attacks of now', async () => {
      await save({ slack: bySlack(), notifications: { attackThreshold: 1 } });
      notifications.onAttacks(attacksOf({ time: now - 3_600_000, count: 100 }));
      await ticks(2);
      expect(slack.received).toEqual([]);
    });

    it('do not take what a rule of the operator lets pass for an attack', async () => {
      const passed = { time: now, kind: 'custom_rule', decision: 'allow', count: 100 } as const;
      expect(attacksOf(passed)).toEqual([]);
      expect(attacksOf({ ...passed, decision: 'log' })).toMatchObject([{ count: 100 }]);
    });

    it('tell that a site is down and up again', async () => {
      await save({ slack: bySlack() });
      const shop = { id: 'site_1', name: 'Shop <!channel>' };
      sites = [{ ...shop, healthy: true }];
      await ticks(3);
      sites = [{ ...shop, healthy: false, reason: 'connection refused' }];
      await ticks(4);
      sites = [{ ...shop, healthy: true }];
      await ticks(4);
      expect(texts().map((text) => text.split('\n')[0])).toEqual([
        '*[Portcullis] Site Shop &lt;!channel&gt; is down*',
        '*[Portcullis] Site Shop &lt;!channel&gt; is up again*',
      ]);
      expect(texts()[0]).toContain('connection refused');
    });

    it('tell of load only once it stays high', async () => {
      await save({ slack: bySlack() });
      load = 99;
      await ticks(2);
      load = 10;
      await ticks(1);
      expect(slack.received).toEqual([]);
      load = 86;
      await ticks(5);
      expect(texts()).toEqual([expect.stringContaining('High load: 86%')]);
    });

    it('tell of users and rules by their toggles alone', async () => {
      await save({ slack: bySlack() });
      const audit = createAuditLog(storage, () => now);
      const told: Promise<void>[] = [];
      audit.subscribe((record) => told.push(notifications.onAction(record)));
      const by = { level: 'info', actor: 'ada@example.com', ip: '' } as const;
      await audit.write({ ...by, action: 'user.create', message: 'Created user eve@example.com' });
      await audit.write({ ...by, action: 'rule.create', message: 'Rule "No admin" was created' });
      const renamed = { kinds: ['site'], fields: ['name'] };
      await audit.write({ ...by, action: 'site.update', message: 'Shop was renamed', details: renamed });
      const opened = { kinds: ['site'], fields: ['security_level'] };
      await audit.write({ ...by, action: 'site.update', message: 'Shop was opened', details: opened });
      const back = { kinds: ['settings', 'rule'], fields: [] };
      await audit.write({
        ...by,
        action: 'configuration.restore',
        message: 'It is as it was',
        details: back,
      });
      await Promise.all(told);
      now += 60_000;
      await ticks(1);
      expect(texts()).toHaveLength(1);
      expect(texts()[0]).toContain('Rule "No admin" was created (by ada@example.com)');
      expect(texts()[0]).toMatch(/Shop was opened.*It is as it was/s);
      expect(texts()[0]).not.toContain('renamed');
    });

    it('are held in the quiet hours of the timezone and summed up after', async () => {
      await writeSetting(storage.db, 'general', JSON.stringify({ timezone: 'Asia/Tokyo' }), now);
      await save({ slack: bySlack(), quietHours: { enabled: true, startHour: 20, endHour: 7 } });
      sites = [{ id: 'site_1', name: 'Shop', healthy: false }];
      await ticks(3);
      expect(slack.received).toEqual([]);
      expect((await newestNotifications(storage.db, 9)).map(({ status }) => status)).toEqual(['held']);
      now = noon + 11 * 3_600_000;
      await ticks(1);
      expect(texts()).toHaveLength(1);
      expect(texts()[0]).toContain('1 notification from the quiet hours');
      expect(texts()[0]).toContain('21:00 Site Shop is down');
    });

    it('are not tried again within the quiet hours, but after them', async () => {
      await writeSetting(storage.db, 'general', JSON.stringify({ timezone: 'Asia/Tokyo' }), now);
      await save({ slack: bySlack(), quietHours: { enabled: true, startHour: 20, endHour: 7 } });
      slack.answer = { status: 503 };
      sites = [{ id: 'site_1', name: 'Shop', healthy: false }];
      now = noon - 3_620_000;
      await ticks(3);
      expect(slack.received).toHaveLength(1);
      slack.answer = { status: 200 };
      now = noon;
      await ticks(2);
      expect(slack.received).toHaveLength(1);
      now = noon + 11 * 3_600_000;
      await ticks(1);
      expect(texts()[1]).toContain('Site Shop is down');
      expect((await newestNotifications(storage.db, 9)).map(({ status }) => status)).toEqual(['sent']);
    });

    it('are tried again when the receiver fails, and given up when it refuses', async () => {
      await save({ slack: bySlack() });
      slack.answer = { status: 503 };
      sites = [{ id: 'site_1', name: 'Shop', healthy: false }];
      await ticks(3);
      const [waiting] = await newestNotifications(storage.db, 1);
      expect(waiting).toMatchObject({ status: 'retrying', attempts: 1, error: 'The receiver answered 503' });
      slack.answer = { status: 404, body: 'no_service' };
      now += 30_000;
      await ticks(1);
      const [failed] = await newestNotifications(storage.db, 1);
      expect(failed).toMatchObject({
        status: 'failed',
        attempts: 2,
        error: 'The receiver answered 404: no_service',
      });
      expect(logged.join()).not.toContain('/services/');
    });

    it('are tried again where name servers were away', async () => {
      addressesOf = async () => {
        throw Object.assign(new Error('getaddrinfo EAI_AGAIN'), { code: 'EAI_AGAIN' });
      };
      await save({ email: { ...byMail(), smtpHost: 'mail.example.com' } });
      sites = [{ id: 'site_1', name: 'Shop', healthy: false }];
      await ticks(3);
      const [waiting] = await newestNotifications(storage.db, 1);
      const error = 'The name mail.example.com could not be looked up (EAI_AGAIN)';
      expect(waiting).toMatchObject({ status: 'retrying', attempts: 1, error });
      addressesOf = async () => ['127.0.0.1'];
      now += 30_000;
      await ticks(1);
      expect(mail.mails).toHaveLength(1);
      expect((await newestNotifications(storage.db, 9)).map(({ status }) => status)).toEqual(['sent']);
    });

    it('go on by other channels and to the same one while a receiver hangs', async () => {
      const hung = Promise.withResolvers<void>();
      slack.answer = { status: 200, after: hung.promise };
      await save({ email: byMail(), slack: bySlack() });
      const goesDown = (id: string) => ({ id, name: id, healthy: false });
      sites = [goesDown('site_1')];
      await notifications.tick();
      now += 5000;
      const hanging = notifications.tick();
      await expect
        .poll(() => [slack.received.length, mail.mails.length], { timeout: 20_000 })
        .toEqual([1, 1]);
      sites = [...sites, goesDown('site_2')];
      const later: Promise<void>[] = [];
      const turned = () => {
        // Far from the time after which a message counts as lost with its process.
        now += 100;
        later.push(notifications.tick());
        return [slack.received.length, mail.mails.length];
      };
      await expect.poll(turned, { timeout: 20_000 }).toEqual([2, 2]);
      hung.resolve();
      await Promise.all([hanging, ...later]);
      expect((await newestNotifications(storage.db, 9)).map(({ status }) => status)).toEqual(
        Array(4).fill('sent'),
      );
    });

    it('never tell that a site is up before that it was down', async () => {
      await save({ slack: bySlack() });
      slack.answer = { status: 503 };
      sites = [{ id: 'site_1', name: 'Shop', healthy: false }];
      await ticks(2);
      slack.answer = { status: 200 };
      sites = [{ id: 'site_1', name: 'Shop', healthy: true }];
      await ticks(2);
      expect(slack.received).toHaveLength(1);
      now += 30_000;
      await ticks(2);
      expect(texts().map((text) => /is (down|up)/.exec(text)?.[1])).toEqual(['down', 'down', 'up']);
    });

    it('never tell so over the quiet hours either, whichever of the two they held', async () => {
      const quietHours = { enabled: true, startHour: 20, endHour: 7 };
      const evening = Date.parse('2026-01-15T19:59:00Z');
      const morning = Date.parse('2026-01-16T07:00:00Z');
      const states = () => texts().map((text) => /Site Shop is (down|up)/.exec(text)?.[1]);
      const turns = async (healthy: boolean, times: number) => {
        sites = [{ id: 'site_1', name: 'Shop', healthy }];
        await ticks(times);
      };
      await save({ slack: bySlack(), quietHours });
      // Told of in the summary, which is not taken at first.
      now = evening + 3_600_000;
      await turns(false, 2);
      slack.answer = { status: 503 };
      now = morning;
      await turns(false, 1);
      slack.answer = { status: 200 };
      await turns(true, 3);
      expect(states()).toEqual(['down']);
      now += 30_000;
      await turns(true, 2);
      expect(states()).toEqual(['down', 'down', 'up']);
      // Tried before them, while the summary holds that the site is up.
      slack.received.length = 0;
      slack.answer = { status: 503 };
      now = evening + 86_400_000;
      await turns(false, 2);
      slack.answer = { status: 200 };
      now += 3_600_000;
      await turns(true, 2);
      now = morning + 86_400_000;
      await turns(true, 2);
      expect(states()).toEqual(['down', 'down', 'up']);
      expect(new Set((await newestNotifications(storage.db, 9)).map(({ status }) => status))).toEqual(
        new Set(['sent']),
      );
    });

    it('survive a restart while they wait', async () => {
      await save({ slack: bySlack() });
      slack.answer = { status: 503 };
      sites = [{ id: 'site_1', name: 'Shop', healthy: false }];
      await ticks(3);
      const reborn = createNotifications({
        storage,
        sealer,
        log: { info: () => {}, warn: () => {}, error: () => {} },
        now: () => now,
        duty: { held: true },
        siteStates: () => sites,
        loadPercent: () => undefined,
        siteName: () => undefined,
      });
      slack.answer = { status: 200 };
      now += 60_000;
      for (let tick = 0; tick < 3; tick += 1) await reborn.tick();
      expect(slack.received).toHaveLength(2);
      expect((await newestNotifications(storage.db, 9)).map(({ status }) => status)).toEqual(['sent']);
    });
  });
}
