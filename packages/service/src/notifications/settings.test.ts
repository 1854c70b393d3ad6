import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStorage } from '../storage/index.ts';
import { testDialects } from '../storage/testing/index.ts';
import { startService, type TestService } from '../testing/index.ts';
import { type HttpReceiver, httpReceiver, type MailReceiver, mailReceiver } from './testing/index.ts';

for (const dialect of testDialects()) {
  const why = dialect.missing ? ` (${dialect.missing})` : '';
  describe.skipIf(dialect.missing !== undefined)(`notification settings on ${dialect.name}${why}`, () => {
    let service: TestService;
    let token: string;
    let databaseUrl: string | undefined;
    let slack: HttpReceiver;
    let mail: MailReceiver;
    const call = (method: string, url: string, body?: unknown) =>
      service.call(method, `/api/notifications/${url}`, body, token);

    beforeEach(async () => {
      databaseUrl = await dialect.databaseUrl();
      service = await startService({ databaseUrl });
      token = await service.signIn();
      slack = await httpReceiver();
      mail = await mailReceiver();
    });
    afterEach(async () => {
      await service.stop();
      await slack.stop();
      await mail.stop();
    });
    afterAll(() => dialect.stop());

    it('have the defaults of the specification', async () => {
      expect((await call('GET', 'settings')).body).toMatchObject({
        email: { enabled: false, key: '', keySet: false },
        slack: { channel: '#security-alerts', webhookUrl: '', webhookUrlSet: false },
        notifications: {
          notifyOnAttacks: true,
          notifyOnSiteDown: true,
          notifyOnHighLoad: true,
          notifyOnUserChanges: false,
          notifyOnRuleChanges: true,
          attackThreshold: 10,
          loadThreshold: 85,
        },
        quietHours: { enabled: false, startHour: 22, endHour: 8 },
      });
    });

    it('keep their secrets: sealed in storage, never read back, kept by an empty field', async () => {
      const webhookUrl = `${slack.url}/services/very-secret`;
      const saved = await call('PUT', 'settings', {
        email: { enabled: true, key: 'SG.very-secret' },
        slack: { webhookUrl },
      });
      expect(saved.body).toEqual({ message: 'Notification settings saved successfully' });
      const read = await call('GET', 'settings');
      expect(read.body).toMatchObject({ email: { keySet: true }, slack: { webhookUrlSet: true } });
      expect(JSON.stringify(read.body)).not.toContain('very-secret');
      await call('PUT', 'settings', read.body);
      expect((await call('GET', 'settings')).body).toEqual(read.body);
      await call('PUT', 'settings', { email: { keySet: false } });
      expect((await call('GET', 'settings')).body).toMatchObject({
        email: { enabled: true, keySet: false },
        slack: { webhookUrlSet: true },
      });
      await service.service.stop();
      const storage = await openStorage({ dataDir: service.dataDir, databaseUrl });
      const rows = await storage.read.selectFrom('settings').selectAll().execute();
      await storage.close();
      expect(rows.map(({ key }) => key)).toContain('notification_secrets');
      expect(JSON.stringify(rows)).not.toContain('very-secret');
      const files = (await readdir(service.dataDir)).filter((name) => name.startsWith('portcullis.sqlite'));
      expect(files.length > 0).toBe(dialect.name === 'sqlite');
      for (const file of files) {
        expect((await readFile(path.join(service.dataDir, file))).toString('latin1')).not.toContain(
          'very-secret',
        );
      }
      expect(service.logged.join()).not.toContain('very-secret');
    });

    it('show a stored key to no other server than the one that it was entered for', async () => {
      const own = { smtpHost: 'mail.example.com', smtpSecurity: 'tls', key: 'very-secret' };
      expect((await call('PUT', 'settings', { email: own })).status).toBe(200);
      const moves = [
        { smtpHost: 'mail.attacker.example' },
        { smtpSecurity: 'none' },
        { transport: 'api', apiUrl: 'https://attacker.example/send' },
      ];
      for (const email of moves) {
        const { status, body } = await call('PUT', 'settings', {
          email: { ...email, key: '', keySet: true },
        });
        expect([status, body.issues?.[0]?.path]).toEqual([422, 'email.key']);
      }
      expect(
        (await call('PUT', 'settings', { email: { smtpPort: 465, address: 'a@example.com' } })).status,
      ).toBe(200);
      const anew = { smtpHost: 'other.example.com', key: 'its-own' };
      expect((await call('PUT', 'settings', { email: anew })).status).toBe(200);
      // Back to the server of before: the key of today is not for it.
      const restored = await service.call('POST', '/api/configuration/versions/2/restore', {}, token);
      expect(restored.status).toBe(200);
      expect((await call('GET', 'settings')).body.email).toMatchObject({
        smtpHost: 'mail.example.com',
        keySet: false,
      });
    });

    it('refuse what cannot be right, all at once', async () => {
      const refused = await call('PUT', 'settings', {
        email: { address: 'ops@example.com, nobody', senderEmail: 'x', smtpHost: '169.254.169.254' },
        slack: { webhookUrl: 'http://metadata.google.internal/' },
      });
      expect(refused.status).toBe(422);
      expect(refused.body.issues.map(({ path: at }: { path: string }) => at)).toEqual([
        'email.address',
        'email.senderEmail',
        'email.smtpHost',
        'slack.webhookUrl',
      ]);
      const bounds = await call('PUT', 'settings', {
        notifications: { attackThreshold: 0, loadThreshold: 101 },
        quietHours: { startHour: 24 },
      });
      expect(bounds.body.issues).toHaveLength(3);
      const scheme = await call('PUT', 'settings', { slack: { webhookUrl: 'javascript:alert(1)' } });
      expect(scheme.status).toBe(422);
    });

    it('are tried by the test calls, whose outcomes stand in the log', async () => {
      const incomplete = await call('POST', 'test', { type: 'sitedown' });
      expect(incomplete).toMatchObject({ status: 409, body: { code: 'conflict' } });
      await call('PUT', 'settings', {
        slack: { webhookUrl: slack.url, channel: '#ops' },
        email: {
          address: 'ops@example.com',
          senderEmail: 'gate@example.com',
          smtpHost: 'localhost',
          smtpPort: mail.port,
          smtpSecurity: 'none',
        },
      });
      const sent = {
        status: 200,
        body: { message: 'Test notification sent! Check your configured channels.' },
      };
      expect(await call('POST', 'test', { type: 'sitedown' })).toMatchObject(sent);
      expect(slack.received[0]?.body).toMatchObject({ channel: '#ops' });
      expect(await call('POST', 'test', { type: 'attack' })).toMatchObject(sent);
      expect(mail.mails[0]?.text).toContain('Test: attacks within a minute');
      slack.answer = { status: 403, body: 'action_prohibited' };
      const failed = await call('POST', 'test', { type: 'sitedown' });
      expect(failed).toMatchObject({
        status: 502,
        body: {
          code: 'delivery_failed',
          message: 'The message could not be delivered: The receiver answered 403: action_prohibited',
        },
      });
      const outcomes = (await call('GET', 'outcomes?limit=2')).body;
      expect(outcomes).toHaveLength(2);
      expect(outcomes[0]).toMatchObject({ event: 'test', channel: 'slack', status: 'failed', attempts: 1 });
      expect(outcomes[1]).toMatchObject({ event: 'test', channel: 'email', status: 'sent' });
    });
  });
}
