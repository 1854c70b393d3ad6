import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testDialects } from '../storage/testing/index.ts';
import { adminPassword, startService, type TestService } from '../testing/index.ts';

const dayMs = 86_400_000;

for (const dialect of testDialects()) {
  const why = dialect.missing ? ` (${dialect.missing})` : '';
  describe.skipIf(dialect.missing !== undefined)(`an API token on ${dialect.name}${why}`, () => {
    let service: TestService;
    let clock: number;
    let session: string;
    const make = (body: object, as = session) => service.call('POST', '/api/auth/api-tokens', body, as);
    const get = (path: string, as: string) => service.call('GET', `/api/${path}`, undefined, as);

    beforeEach(async () => {
      clock = 1_790_000_000_000;
      service = await startService({ now: () => clock, databaseUrl: await dialect.databaseUrl() });
      session = await service.signIn();
    });
    afterEach(() => service.stop());
    afterAll(() => dialect.stop());

    it('is shown once, and does what it was given alone', async () => {
      const { secret, token } = (await make({ name: 'backup', permissions: ['site:view'] })).body;
      expect(secret).toMatch(/^pct_/);
      const [listed] = (await get('auth/api-tokens', session)).body;
      expect(listed).toEqual({ ...token, last_used: null });
      expect(JSON.stringify(listed)).not.toContain(secret);
      expect((await get('sites', secret)).status).toBe(200);
      expect(await get('users', secret)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      expect((await get('auth/api-tokens', session)).body[0].last_used).toBe(new Date(clock).toISOString());
    });

    it('makes no other token and touches no password, session or 2FA', async () => {
      const { secret } = (await make({ name: 'all', permissions: ['user:view', 'settings:update'] })).body;
      const more = { name: 'more', permissions: ['user:view'] };
      expect((await make(more, secret)).status).toBe(403);
      expect((await get('auth/sessions', secret)).status).toBe(403);
      expect((await service.call('POST', '/api/auth/totp/enroll', undefined, secret)).status).toBe(403);
      const password = { currentPassword: adminPassword, newPassword: 'Another1!pass' };
      expect((await service.call('POST', '/api/auth/change-password', password, secret)).status).toBe(403);
    });

    it('ends with its expiry, and when it is revoked', async () => {
      const short = (await make({ name: 'short', permissions: ['site:view'], expiresInDays: 1 })).body;
      const long = (await make({ name: 'long', permissions: ['site:view'] })).body;
      clock += dayMs;
      session = await service.signIn();
      expect(await get('sites', short.secret)).toMatchObject({
        status: 401,
        body: { code: 'session_expired' },
      });
      expect((await get('sites', long.secret)).status).toBe(200);
      const revoke = () =>
        service.call('DELETE', `/api/auth/api-tokens/${long.token.id}`, undefined, session);
      expect((await revoke()).status).toBe(204);
      expect((await get('sites', long.secret)).status).toBe(401);
      expect((await revoke()).status).toBe(404);
    });

    it('never does more than its owner still may', async () => {
      const user = { email: 'op@example.com', role: 'operator', password: adminPassword };
      const { id } = (await service.call('POST', '/api/users', user, session)).body;
      const theirs = await service.signIn(user.email);
      const beyond = await make({ name: 'x', permissions: ['site:view', 'user:delete'] }, theirs);
      expect(beyond).toMatchObject({ status: 422, body: { issues: [{ path: 'permissions.1' }] } });
      const { secret } = (await make({ name: 'x', permissions: ['settings:view', 'site:view'] }, theirs))
        .body;
      expect((await get('settings/general', secret)).status).toBe(200);
      await service.call('PUT', `/api/users/${id}`, { role: 'viewer' }, session);
      expect((await get('settings/general', secret)).status).toBe(403);
      expect((await get('sites', secret)).status).toBe(200);
      await service.call('PUT', `/api/users/${id}`, { disabled: true }, session);
      expect((await get('sites', secret)).status).toBe(401);
    });

    it('is revoked with the password that an administrator sets, not with the own one', async () => {
      const user = { email: 'op@example.com', role: 'operator', password: adminPassword };
      const { id } = (await service.call('POST', '/api/users', user, session)).body;
      const theirs = await service.signIn(user.email);
      const { secret } = (await make({ name: 'x', permissions: ['site:view'] }, theirs)).body;
      const own = { currentPassword: adminPassword, newPassword: 'Another1!pass' };
      expect((await service.call('POST', '/api/auth/change-password', own, theirs)).status).toBe(204);
      expect((await get('sites', secret)).status).toBe(200);
      await service.call('PUT', `/api/users/${id}`, { password: 'Third-1!pass' }, session);
      expect((await get('sites', secret)).status).toBe(401);
      expect((await get('auth/me', theirs)).status).toBe(401);
    });

    it('is neither seen nor revoked by another user', async () => {
      const { token } = (await make({ name: 'mine', permissions: ['site:view'] })).body;
      const user = { email: 'op@example.com', role: 'admin', password: adminPassword };
      await service.call('POST', '/api/users', user, session);
      const theirs = await service.signIn(user.email);
      expect((await get('auth/api-tokens', theirs)).body).toEqual([]);
      const revoked = await service.call('DELETE', `/api/auth/api-tokens/${token.id}`, undefined, theirs);
      expect(revoked.status).toBe(404);
    });
  });
}
