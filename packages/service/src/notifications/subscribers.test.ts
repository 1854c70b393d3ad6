import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadSealer } from '../sealing/index.ts';
import { type TestStorage, testDialects } from '../storage/testing/index.ts';
import { counters, securityEvent } from '../testing/index.ts';
import { addCounters } from '../traffic/index.ts';
import { insertUser } from '../users/index.ts';
import { attacksIn } from './attack-window.ts';
import { createNotifications, type Notifications } from './notifications.ts';
import { changeSettings } from './settings.ts';
import { readNotificationSettings, writeNotificationSettings } from './settings-repository.ts';
import { type MailReceiver, mailReceiver } from './testing/index.ts';
import { isReportTime } from './weekly-report.ts';

const thursday = Date.parse('2026-01-15T12:00:00Z');
const monday = Date.parse('2026-01-19T08:00:00Z');
const hour = 3_600_000;

for (const dialect of testDialects()) {
  const why = dialect.missing ? ` (${dialect.missing})` : '';
  describe.skipIf(dialect.missing !== undefined)(`mail to users on ${dialect.name}${why}`, () => {
    let storage: TestStorage;
    let mail: MailReceiver;
    let notifications: Notifications;
    let now: number;

    const add = async (name: string, role: string, wishes: object, disabled = 0) => {
      const email = `${name}@example.com`;
      const user = await storage.transaction((trx) =>
        insertUser(trx, { email, role, passwordHash: 'none' }, now),
      );
      const preferences = JSON.stringify({ notifications: wishes });
      await storage.db
        .updateTable('users')
        .set({ preferences, disabled })
        .where('id', '=', user.id)
        .execute();
    };
    beforeEach(async () => {
      storage = await dialect.open();
      mail = await mailReceiver();
      now = thursday;
      const sealer = await loadSealer(storage.dataDir);
      const log = { info: () => {}, warn: () => {}, error: () => {} };
      notifications = createNotifications({
        ...{ storage, sealer, log, now: () => now, duty: { held: true } },
        siteStates: () => [],
        loadPercent: () => undefined,
        siteName: (id) => (id === 'site_1' ? 'Shop' : undefined),
      });
      await storage.transaction(async (trx) => {
        const email = {
          ...{ enabled: true, address: 'Ops@example.com', senderEmail: 'gate@example.com' },
          ...{ smtpHost: '127.0.0.1', smtpPort: mail.port, smtpSecurity: 'none' as const },
        };
        const patch = { email, notifications: { attackThreshold: 1, notifyOnUserChanges: true } };
        const changed = changeSettings(await readNotificationSettings(trx, sealer), patch);
        if (!changed.ok) throw new Error(JSON.stringify(changed));
        await writeNotificationSettings(trx, sealer, changed.value, now);
      });
      await add('ops', 'admin', {});
      await add('viewer', 'viewer', { weekly_reports: true });
      await add('quiet', 'operator', { email: false, weekly_reports: true });
      await add('calm', 'operator', { security_alerts: false });
      await add('gone', 'admin', { weekly_reports: true }, 1);
    });
    afterEach(async () => {
      await notifications.stop();
      await mail.stop();
      await storage.close();
    });
    afterAll(() => dialect.stop());

    it('tells of alerts those who want them, and of users those who may see them, once each', async () => {
      notifications.onAttacks(attacksIn([securityEvent({ time: now, count: 9 })], now, () => undefined));
      await notifications.tick();
      expect(mail.mails.map(({ to }) => to)).toEqual([['Ops@example.com', 'viewer@example.com']]);
      const record = { id: 'act_1', time: now, level: 'info', actor: 'a@example.com', ip: '' } as const;
      await notifications.onAction({ ...record, action: 'user.create', message: 'Created user x' });
      await notifications.onAction({ ...record, action: 'rule.create', message: 'Rule "x" was added' });
      now += 30_000;
      await notifications.tick();
      const told = new Map(mail.mails.slice(1).map(({ to, text }) => [/Users|rules/.exec(text)?.[0], to]));
      expect(told.get('Users')).toEqual(['Ops@example.com']);
      expect(told.get('rules')).toEqual(['Ops@example.com', 'calm@example.com', 'viewer@example.com']);
    });

    it('sends the report of the week once on its Monday, to who asked for it alone', async () => {
      const week = { minute: monday - 24 * hour, requests: 200, blocked: 15 };
      await storage.transaction((trx) =>
        addCounters(trx, [
          counters({ ...week, siteId: 'site_1' }),
          counters({ minute: monday - 8 * 24 * hour, requests: 999 }),
        ]),
      );
      await notifications.tick();
      now = monday - 1000;
      await notifications.tick();
      expect(mail.mails).toEqual([]);
      for (now = monday; now < monday + 24 * hour; now += 2 * hour) await notifications.tick();
      expect(mail.mails.map(({ to }) => to)).toEqual([['viewer@example.com']]);
      expect(mail.mails[0]?.text).toContain('Weekly report: 15 of 200 requests blocked');
      expect(mail.mails[0]?.text).toContain('Shop: 200 requests, 15 of them blocked (7.50%)');
      now = monday + 7 * 24 * hour;
      await notifications.tick();
      expect(mail.mails).toHaveLength(2);
    });
  });
}

it('is Monday morning where the installation is', () => {
  expect(isReportTime('UTC', monday)).toBe(true);
  expect(isReportTime('America/New_York', monday)).toBe(false);
  expect(isReportTime('Asia/Tokyo', monday - 9 * hour)).toBe(true);
  expect(isReportTime('UTC', thursday)).toBe(false);
});
