import { SecuritySettings, systemTimezones } from '@portcullis/contract/settings';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { testDialects } from '../storage/testing/index.ts';
import { adminEmail, adminPassword, startService, type TestService } from '../testing/index.ts';
import { changedFields, securityIssues } from './settings.ts';

for (const dialect of testDialects()) {
  const why = dialect.missing ? ` (${dialect.missing})` : '';
  describe.skipIf(dialect.missing !== undefined)(`settings on ${dialect.name}${why}`, () => {
    let service: TestService;
    let clock: number;
    let token: string;
    const put = (noun: string, body: unknown) => service.call('PUT', `/api/settings/${noun}`, body, token);
    const get = (path: string, as = token) => service.call('GET', `/api/${path}`, undefined, as);

    beforeEach(async () => {
      clock = 1_790_000_000_000;
      service = await startService({ now: () => clock, databaseUrl: await dialect.databaseUrl() });
      token = await service.signIn();
    });
    afterEach(() => service.stop());
    afterAll(() => dialect.stop());

    it('have the defaults of the specification', async () => {
      expect((await get('settings/general')).body).toMatchObject({
        timezone: 'UTC',
        logRetentionDays: 30,
        logRetentionGigabytes: 20,
        maxConnections: 10_000,
        requestTimeout: 30,
        healthCheckInterval: 30,
        maintenanceMode: false,
      });
      expect((await get('settings/security')).body).toMatchObject({
        sessionTimeout: 3600,
        maxLoginAttempts: 5,
        lockoutDuration: 900,
        minPasswordLength: 8,
        requestsPerMinute: 100,
        allowedOrigins: ['*'],
      });
    });

    it('keep what a client leaves out', async () => {
      await put('general', { systemName: 'North gate', logRetentionDays: 90 });
      const saved = await put('general', { maintenanceMode: true });
      expect(saved.body).toMatchObject({
        systemName: 'North gate',
        logRetentionDays: 90,
        maintenanceMode: true,
      });
    });

    it('take any name of a time zone, and nothing else for one', async () => {
      for (const timezone of ['Australia/Sydney', 'Europe/Kyiv', 'Etc/GMT+12'])
        expect((await put('general', { timezone })).body).toMatchObject({ timezone });
      for (const timezone of ['Mars/Olympus', '+02:00', '', 'UTC\n'])
        expect((await put('general', { timezone })).body.issues).toMatchObject([{ path: 'timezone' }]);
      expect((await get('settings/general')).body).toMatchObject({ timezone: 'Etc/GMT+12' });
    });

    it('refuse every value out of its bounds at once, and store nothing', async () => {
      const refused = await put('general', { logRetentionDays: 366, requestTimeout: 4, systemName: '  ' });
      expect(refused.status).toBe(422);
      expect(refused.body.issues.map((issue: { path: string }) => issue.path).sort()).toEqual([
        'logRetentionDays',
        'requestTimeout',
        'systemName',
      ]);
      expect((await get('settings/general')).body.logRetentionDays).toBe(30);
      expect((await put('security', { allowedOrigins: ['*', 'shop.example.com'] })).body.issues).toEqual([
        { path: 'allowedOrigins.1', message: expect.stringContaining('not an origin') },
      ]);
    });

    it('reach gateways as a new version of the configuration', async () => {
      const snapshots: { version: number; general: { maintenanceMode: boolean } }[] = [];
      const end = service.service.controlPlane.subscribe((directive) => {
        if (directive.type === 'snapshot') snapshots.push(directive.snapshot);
      });
      await put('general', { maintenanceMode: true });
      end();
      expect(snapshots.at(-1)?.general.maintenanceMode).toBe(true);
      const [entry] = (await get('audit?limit=1')).body;
      expect(entry).toMatchObject({ action: 'settings.general', actor: adminEmail });
    });

    it('reach gateways of before whichever time zone there is, for they knew eight', async () => {
      const before = z.object({ general: z.object({ timezone: z.enum(systemTimezones).default('UTC') }) });
      const snapshots: unknown[] = [];
      const end = service.service.controlPlane.subscribe((directive) => {
        if (directive.type === 'snapshot') snapshots.push(directive.snapshot);
      });
      await put('general', { timezone: 'Australia/Sydney' });
      end();
      expect(before.parse(snapshots.at(-1))).toEqual({ general: { timezone: 'UTC' } });
    });

    it('have a version, and a change of a stale one says who was before and what they changed', async () => {
      const cases = [
        ['settings/general', 'systemName', 'North', 'South'],
        ['settings/security', 'sessionTimeout', 600, 900],
        ['notifications/settings', 'quietHours', { startHour: 20 }, { startHour: 21 }],
      ] as const;
      for (const [path, field, mine, theirs] of cases) {
        const send = (value: unknown, version?: number) =>
          service.call('PUT', `/api/${path}`, { [field]: value, version }, token);
        const { version } = (await get(path)).body;
        expect((await send(theirs, version)).status).toBe(200);
        const stored = (await get(path)).body;
        expect(stored.version).toBeGreaterThan(version);
        expect(await send(mine, version)).toMatchObject({
          status: 409,
          body: {
            code: 'version_conflict',
            error: expect.stringContaining(`${adminEmail} changed`),
            issues: [{ path: 'version' }, { path: field }],
          },
        });
        expect((await get(path)).body).toEqual(stored);
        // What nobody else changed is saved at once, and who sends no version does not mind.
        expect((await send(mine, stored.version)).status).toBe(200);
        expect((await send(theirs)).status).toBe(200);
        const again = (await get(path)).body.version;
        expect((await send(theirs, again)).status).toBe(200);
        expect((await get(path)).body.version).toBe(again);
      }
    });

    it('bind every password form', async () => {
      await put('security', { minPasswordLength: 20, requireSpecialChars: false });
      const policy = await get('auth/password-policy');
      expect(policy.body).toMatchObject({ minLength: 20, requireSpecialChars: false, requireNumbers: true });
      const user = { email: 'u@example.com', password: 'Abcdefg1' };
      const created = await service.call('POST', '/api/users', user, token);
      expect(created).toMatchObject({ status: 422, body: { code: 'password_too_weak' } });
      const changed = await service.call(
        'POST',
        '/api/auth/change-password',
        { currentPassword: adminPassword, newPassword: 'Abcdefg1' },
        token,
      );
      expect(changed.body.issues).toEqual([
        { path: 'newPassword', message: 'Password must be at least 20 characters' },
      ]);
    });

    it('end a session that is idle for longer than they say', async () => {
      await put('security', { sessionTimeout: 300 });
      clock += 299_000;
      expect((await get('auth/me')).status).toBe(200);
      clock += 301_000;
      expect(await get('auth/me')).toMatchObject({ status: 401, body: { code: 'session_expired' } });
    });

    it('lock a sign-in after as many failures as they say, for as long', async () => {
      await put('security', { maxLoginAttempts: 3, lockoutDuration: 60 });
      const signIn = (password: string) =>
        service.call('POST', '/api/auth/login', { email: adminEmail, password });
      for (let attempt = 0; attempt < 3; attempt += 1) expect((await signIn('wrong')).status).toBe(401);
      const locked = await signIn(adminPassword);
      expect(locked).toMatchObject({ status: 429, body: { code: 'account_locked' } });
      expect(Number(locked.headers.get('retry-after'))).toBe(60);
      clock += 61_000;
      expect((await signIn(adminPassword)).status).toBe(200);
    });

    it('give up every session with the token key', async () => {
      const other = await service.signIn();
      const short = await service.call('POST', '/api/settings/security/rotate-key', { key: 'short' }, token);
      expect(short.status).toBe(422);
      const rotated = await service.call('POST', '/api/settings/security/rotate-key', undefined, token);
      expect(rotated.status).toBe(204);
      for (const ended of [token, other]) expect((await get('auth/me', ended)).status).toBe(401);
      expect((await get('auth/me', await service.signIn())).status).toBe(200);
    });
  });
}

describe('security settings', () => {
  it('take origins and the star alone as allowed origins', () => {
    const allowedOrigins = [
      'https://a.example',
      'http://b.example:8080',
      '*',
      'https://a.example/',
      'ftp://c',
    ];
    const issues = securityIssues(SecuritySettings.parse({ allowedOrigins }));
    expect(issues.map(({ path }) => path)).toEqual(['allowedOrigins.3', 'allowedOrigins.4']);
  });

  it('name the fields that a save changed', () => {
    expect(changedFields({ a: 1, list: ['x'] }, { a: 1, list: ['y'] })).toEqual(['list']);
  });
});
