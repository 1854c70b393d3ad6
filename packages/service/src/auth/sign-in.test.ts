import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createAuditLog, newestRecords } from '../audit/index.ts';
import { openStorage } from '../storage/index.ts';
import { testDialects } from '../storage/testing/index.ts';
import { adminEmail, adminPassword, startService, type TestService } from '../testing/index.ts';
import { tellUnknown } from './unknown-accounts.ts';

for (const dialect of testDialects()) {
  const why = dialect.missing ? ` (${dialect.missing})` : '';
  describe.skipIf(dialect.missing !== undefined)(`signing in on ${dialect.name}${why}`, () => {
    let service: TestService;
    let clock = Date.now();
    let databaseUrl: string | undefined;
    const start = async () => {
      clock = Date.now();
      databaseUrl = await dialect.databaseUrl();
      service = await startService({ now: () => clock, databaseUrl });
    };
    afterEach(() => service.stop());
    afterAll(() => dialect.stop());
    const attempt = (email: string, password: string) =>
      service.call('POST', '/api/auth/login', { email, password });

    it('answers alike for a wrong password and an account that does not exist', async () => {
      await start();
      const wrong = await attempt(adminEmail, 'guess');
      const unknown = await attempt('nobody@example.com', 'guess');
      expect([wrong.status, unknown.status]).toEqual([401, 401]);
      expect(wrong.body).toEqual(unknown.body);
    });

    it('locks after the allowed failures, says for how long, and opens again', async () => {
      await start();
      for (let count = 0; count < 5; count++) await attempt(adminEmail, 'guess');
      const locked = await attempt(adminEmail, adminPassword);
      expect([locked.status, locked.body.code]).toEqual([429, 'account_locked']);
      expect(Number(locked.headers.get('retry-after'))).toBe(900);
      clock += 900_000;
      expect((await attempt(adminEmail, adminPassword)).status).toBe(200);
    });

    it('counts guesses that are sent at once', async () => {
      await start();
      const answers = await Promise.all(Array.from({ length: 12 }, () => attempt(adminEmail, 'guess')));
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(7);
    });

    it('locks an account that does not exist just the same', async () => {
      await start();
      for (let count = 0; count < 5; count++) await attempt('nobody@example.com', 'guess');
      expect((await attempt('nobody@example.com', 'guess')).status).toBe(429);
    });

    it('ends a session that is idle for longer than the settings allow', async () => {
      await start();
      const token = await service.signIn();
      clock += 3_599_000;
      expect((await service.call('GET', '/api/auth/me', undefined, token)).status).toBe(200);
      clock += 3_601_000;
      const late = await service.call('GET', '/api/auth/me', undefined, token);
      expect([late.status, late.body.code]).toEqual([401, 'session_expired']);
    });

    it('ends a session after half a day however much it is used', async () => {
      await start();
      const token = await service.signIn();
      for (let half = 0; half < 24; half++) {
        clock += 1_800_000;
        await service.call('GET', '/api/auth/me', undefined, token);
      }
      expect((await service.call('GET', '/api/auth/me', undefined, token)).status).toBe(401);
    });

    it('ends sessions that were opened while the clock was far ahead, and none for clocks that differ a little', async () => {
      await start();
      clock += 86_400_000;
      const ahead = await service.signIn();
      clock -= 86_400_000;
      expect((await service.call('GET', '/api/auth/me', undefined, ahead)).status).toBe(401);
      const token = await service.signIn();
      clock -= 60_000;
      expect((await service.call('GET', '/api/auth/me', undefined, token)).status).toBe(200);
    });

    it('makes a token worthless with sign-out', async () => {
      await start();
      const token = await service.signIn();
      expect((await service.call('POST', '/api/auth/logout', undefined, token)).status).toBe(204);
      expect((await service.call('GET', '/api/auth/me', undefined, token)).body.code).toBe('session_expired');
    });

    it('takes no token that another key or no key signed', async () => {
      await start();
      const token = await service.signIn();
      const [, payload] = token.split('.');
      const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
      for (const forged of [`${token.slice(0, -4)}AAAA`, none, 'x', `${token}x`]) {
        expect((await service.call('GET', '/api/auth/me', undefined, forged)).status).toBe(401);
      }
    });

    it('tells of sign-ins and failures in the log, without what was typed', async () => {
      await start();
      await attempt('my-Password-by-mistake!', 'guess');
      await attempt(adminEmail, 'guess');
      const token = await service.signIn();
      const entries = (await service.call('GET', '/api/audit?limit=50', undefined, token)).body;
      const actions = entries.map((entry: { action: string }) => entry.action);
      expect(actions).toEqual(['auth.login', 'auth.login_failed', 'auth.setup']);
      expect(JSON.stringify(entries)).not.toContain('by-mistake');
    });

    it('tells of failures of unknown accounts in one entry a minute, with their number', async () => {
      await start();
      const storage = await openStorage({ dataDir: service.dataDir, databaseUrl });
      const audit = createAuditLog(storage, () => clock);
      const told = async () =>
        (await newestRecords(storage.read, { limit: 9 })).filter(({ actor }) => actor === 'unknown');
      for (let count = 0; count < 7; count++) await attempt(`nobody${count}@example.com`, 'guess');
      expect(await told()).toEqual([]);
      await tellUnknown({ storage, audit });
      await tellUnknown({ storage, audit });
      expect(await told()).toMatchObject([
        { message: 'Sign-in failed 7 times for unknown accounts', ip: '127.0.0.1', details: { count: 7 } },
      ]);
      await storage.close();
    });

    it('does not say of an API token that it signed out', async () => {
      await start();
      const session = await service.signIn();
      const wanted = { name: 'ci', permissions: ['audit:view'], expiresInDays: 30 };
      const { secret } = (await service.call('POST', '/api/auth/api-tokens', wanted, session)).body;
      expect((await service.call('POST', '/api/auth/logout', undefined, secret)).status).toBe(204);
      const { entries } = (await service.call('GET', '/api/audit/admin', undefined, secret)).body;
      expect(entries.map(({ action }: { action: string }) => action)).not.toContain('auth.logout');
    });
  });
}
