import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testDialects } from '../storage/testing/index.ts';
import { adminEmail, adminPassword, startService, type TestService } from '../testing/index.ts';
import { deviceOf } from './device.ts';

for (const dialect of testDialects()) {
  const why = dialect.missing ? ` (${dialect.missing})` : '';
  describe.skipIf(dialect.missing !== undefined)(`the own account on ${dialect.name}${why}`, () => {
    let service: TestService;
    let token: string;
    const call = (method: string, path: string, body?: unknown, as = token) =>
      service.call(method, `/api/auth/${path}`, body, as);

    beforeEach(async () => {
      service = await startService({ databaseUrl: await dialect.databaseUrl() });
      token = await service.signIn();
    });
    afterEach(() => service.stop());
    afterAll(() => dialect.stop());

    it('takes a display name without the password', async () => {
      const changed = await call('PUT', 'profile', { displayName: '  Ada L. ' });
      expect(changed.body.profile).toMatchObject({ displayName: 'Ada L.', email: adminEmail });
      expect((await call('GET', 'profile')).body.profile.displayName).toBe('Ada L.');
    });

    it('takes a new email with the password alone', async () => {
      const email = 'Ada@example.com';
      for (const wrong of [{ email }, { email, currentPassword: 'wrong' }]) {
        expect(await call('PUT', 'profile', wrong)).toMatchObject({
          status: 400,
          body: { code: 'wrong_password' },
        });
      }
      const right = await call('PUT', 'profile', { email, currentPassword: adminPassword });
      expect(right.body.profile.email).toBe('ada@example.com');
      expect(await service.signIn('ada@example.com')).toBeTypeOf('string');
    });

    it('cannot take the email of another user', async () => {
      const other = { email: 'other@example.com', password: adminPassword };
      await service.call('POST', '/api/users', other, token);
      const moved = { email: other.email, currentPassword: adminPassword };
      expect(await call('PUT', 'profile', moved)).toMatchObject({
        status: 409,
        body: { code: 'email_taken' },
      });
    });

    it('changes its password, and every other session ends', async () => {
      const other = await service.signIn();
      const request = { currentPassword: adminPassword, newPassword: 'Another1!pass' };
      expect((await call('POST', 'change-password', { ...request, currentPassword: 'no' })).status).toBe(400);
      expect((await call('POST', 'change-password', request)).status).toBe(204);
      expect((await call('GET', 'me')).status).toBe(200);
      expect((await call('GET', 'me', undefined, other)).status).toBe(401);
      expect(await service.signIn()).toBeUndefined();
      expect(await service.signIn(adminEmail, request.newPassword)).toBeTypeOf('string');
    });

    it('lists its sessions, ends one, and ends all others', async () => {
      const [second, third] = [await service.signIn(), await service.signIn()];
      const sessions = (await call('GET', 'sessions')).body;
      expect(sessions).toHaveLength(3);
      const own = sessions.filter(({ current }: { current: boolean }) => current);
      expect(own).toHaveLength(1);
      const secondId = (await call('GET', 'sessions', undefined, second)).body.find(
        ({ current }: { current: boolean }) => current,
      ).id;
      expect((await call('DELETE', `sessions/${secondId}`)).status).toBe(204);
      expect((await call('GET', 'me', undefined, second)).status).toBe(401);
      expect((await call('DELETE', `sessions/${secondId}`)).status).toBe(404);
      expect((await call('DELETE', 'sessions')).status).toBe(204);
      expect((await call('GET', 'me', undefined, third)).status).toBe(401);
      expect((await call('GET', 'me')).status).toBe(200);
    });

    it('cannot end the session of another user', async () => {
      const other = { email: 'other@example.com', password: adminPassword };
      await service.call('POST', '/api/users', other, token);
      const theirs = await service.signIn(other.email);
      const [{ id }] = (await call('GET', 'sessions', undefined, theirs)).body;
      expect((await call('DELETE', `sessions/${id}`)).status).toBe(404);
      expect((await call('GET', 'me', undefined, theirs)).status).toBe(200);
    });
  });
}

describe('a device', () => {
  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0',
      'Edge on Windows',
    ],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1', 'Safari on iOS'],
    [
      'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36',
      'Chrome on Android',
    ],
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36',
      'Chrome on Linux',
    ],
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chromium/140.0.0.0 Safari/537.36',
      'Chrome on Linux',
    ],
    ['curl/8.5.0', 'curl'],
    ['', 'Unknown device'],
  ])('of %o is %o', (userAgent, device) => {
    expect(deviceOf(userAgent)).toBe(device);
  });
});
