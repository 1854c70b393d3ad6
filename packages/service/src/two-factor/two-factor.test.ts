import { readdir, readFile } from 'node:fs/promises';
import { generateSync } from 'otplib';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStorage } from '../storage/index.ts';
import { testDialects } from '../storage/testing/index.ts';
import { adminEmail, adminPassword, startService, type TestService } from '../testing/index.ts';

const stepMs = 30_000;

for (const dialect of testDialects()) {
  const why = dialect.missing ? ` (${dialect.missing})` : '';
  describe.skipIf(dialect.missing !== undefined)(`the second step on ${dialect.name}${why}`, () => {
    let service: TestService;
    let clock: number;
    let databaseUrl: string | undefined;
    let token: string;
    const code = (secret: string) => generateSync({ secret, epoch: Math.floor(clock / 1000) });
    const post = (path: string, body?: unknown) => service.call('POST', `/api/auth/${path}`, body, token);
    const signIn = (totpCode?: string) =>
      service.call('POST', '/api/auth/login', {
        email: adminEmail,
        password: adminPassword,
        ...(totpCode !== undefined && { totpCode }),
      });
    /** Turns 2FA on as the profile screen does, and lets the code's step pass. */
    const enroll = async () => {
      const { secret } = (await post('totp/enroll')).body;
      const verified = await post('totp/verify', { code: code(secret), secret });
      clock += stepMs;
      return { secret: String(secret), codes: verified.body.backup_codes as string[] };
    };

    beforeEach(async () => {
      clock = 1_790_000_000_000;
      databaseUrl = await dialect.databaseUrl();
      service = await startService({ now: () => clock, databaseUrl, adminTrustedProxies: ['127.0.0.1'] });
      token = await service.signIn();
    });
    afterEach(() => service.stop());
    afterAll(() => dialect.stop());

    it('is set up by enroll and verify with the secret, as the profile screen does', async () => {
      const enrolled = await post('totp/enroll');
      expect(enrolled.body.uri).toMatch(/^otpauth:\/\/totp\/Portcullis:admin%40example\.com\?secret=/);
      const { secret } = enrolled.body;
      const other = await post('totp/verify', {
        code: code(secret),
        secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
      });
      expect(other).toMatchObject({ status: 400, body: { code: 'totp_not_started' } });
      const wrong = await post('totp/verify', { code: '000000', secret });
      expect(wrong).toMatchObject({ status: 400, body: { code: 'wrong_code' } });
      const verified = await post('totp/verify', { code: code(secret), secret });
      expect(new Set(verified.body.backup_codes).size).toBe(10);
      const status = await service.call('GET', '/api/auth/totp/status', undefined, token);
      expect(status.body).toEqual({ status: 'enabled', totpEnabled: true, backupCodesLeft: 10 });
      expect((await post('totp/enroll')).body.code).toBe('totp_already_enabled');
    });

    it('cannot be guessed from many addresses by who knows the password', async () => {
      const { secret } = await enroll();
      const signInFrom = async (address: string, totpCode: string) => {
        const answer = await fetch(`${service.base}/api/auth/login`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
          body: JSON.stringify({ email: adminEmail, password: adminPassword, totpCode }),
        });
        return { status: answer.status, code: ((await answer.json()) as { code?: string }).code };
      };
      for (let host = 1; host <= 5; host++) {
        expect(await signInFrom(`192.0.2.${host}`, '000000')).toMatchObject({ code: 'invalid_totp_code' });
      }
      const right = code(secret);
      expect(await signInFrom('198.51.100.1', right)).toEqual({ status: 429, code: 'account_locked' });
      clock += 900_000;
      expect((await signInFrom('198.51.100.1', code(secret))).status).toBe(200);
    });

    it('is turned off by an administrator for who lost it, which ends their sessions and is told', async () => {
      const lost = { email: 'lost@example.com', role: 'operator', password: adminPassword };
      const { id } = (await service.call('POST', '/api/users', lost, token)).body;
      const reset = (as = token) => service.call('DELETE', `/api/users/${id}/totp`, undefined, as);
      expect(await reset()).toMatchObject({ status: 409, body: { code: 'totp_not_enabled' } });
      const admin = token;
      token = await service.signIn(lost.email);
      await enroll();
      const done = await reset(admin);
      expect([done.status, done.body.totp_enabled]).toEqual([200, false]);
      expect((await service.call('GET', '/api/auth/me', undefined, token)).status).toBe(401);
      expect((await service.call('POST', '/api/auth/login', lost)).body.token).toBeTypeOf('string');
      const [entry] = (
        await service.call('GET', '/api/audit/admin?limit=2', undefined, admin)
      ).body.entries.slice(1);
      expect(entry).toMatchObject({
        action: 'user.totp_reset',
        actor: adminEmail,
        target: id,
        level: 'warning',
      });
      const { body } = await service.call('GET', '/api/auth/me', undefined, admin);
      const own = await service.call('DELETE', `/api/users/${body.user.id}/totp`, undefined, admin);
      expect([own.status, own.body.error]).toEqual([409, 'Turn your own 2FA off in your profile']);
      expect((await service.call('DELETE', '/api/users/none/totp', undefined, admin)).status).toBe(404);
    });

    it('is set up by the password and a code, as the 2FA screen does', async () => {
      expect(await post('totp/enable', { password: 'wrong' })).toMatchObject({
        status: 400,
        body: { code: 'wrong_password' },
      });
      const { secret, backupCodes } = (await post('totp/enable', { password: adminPassword })).body;
      const verified = await post('totp/verify', { code: code(secret) });
      expect(verified.body.backup_codes).toEqual(backupCodes);
    });

    it('cannot be set up with a code alone, nor by a setup that was left lying', async () => {
      expect((await post('totp/verify', { code: '123456' })).body.code).toBe('totp_not_started');
      const { secret } = (await post('totp/enroll')).body;
      clock += 16 * 60_000;
      expect((await post('totp/verify', { code: code(secret), secret })).body.code).toBe('totp_not_started');
    });

    it('is asked for at sign-in, and takes each code once', async () => {
      const { secret } = await enroll();
      expect((await signIn()).body).toEqual({ requires_totp: true });
      const once = code(secret);
      expect((await signIn('000000')).body.code).toBe('invalid_totp_code');
      expect((await signIn(once)).body.user).toMatchObject({ email: adminEmail, totp_enabled: true });
      expect(await signIn(once)).toMatchObject({ status: 401, body: { code: 'invalid_totp_code' } });
      clock += stepMs;
      expect((await signIn(code(secret))).body.token).toBeTypeOf('string');
    });

    it('takes one code once, even from two sign-ins at the same moment', async () => {
      const { secret } = await enroll();
      const answers = await Promise.all([signIn(code(secret)), signIn(code(secret))]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    });

    it('takes each backup code once, however it is typed', async () => {
      const { codes } = await enroll();
      const typed = codes[3]!.toUpperCase().replace('-', ' ');
      expect((await signIn(typed)).status).toBe(200);
      expect((await signIn(codes[3])).status).toBe(401);
      const status = await service.call('GET', '/api/auth/totp/status', undefined, token);
      expect(status.body.backupCodesLeft).toBe(9);
    });

    it('is turned off by a code on the profile screen', async () => {
      const { secret } = await enroll();
      expect((await post('totp/disable', { code: '000000' })).body.code).toBe('wrong_code');
      const off = await post('totp/disable', { code: code(secret) });
      expect(off).toMatchObject({ status: 200, body: { message: '2FA disabled successfully' } });
      expect((await signIn()).body.token).toBeTypeOf('string');
      expect((await post('totp/disable', { code: '000000' })).body.code).toBe('totp_not_enabled');
    });

    it('is turned off by password and code, where a backup code will do', async () => {
      const { codes } = await enroll();
      expect((await post('totp/disable', { code: codes[0] })).body.code).toBe('wrong_code');
      const wrong = await post('totp/disable', { password: 'wrong', code: codes[0] });
      expect(wrong.body.code).toBe('wrong_password');
      expect((await post('totp/disable', { password: adminPassword, code: codes[0] })).status).toBe(200);
    });

    it('gets new backup codes, and the old ones are worth nothing', async () => {
      const { secret, codes } = await enroll();
      const renewed = await post('totp/backup-codes', { password: adminPassword, code: code(secret) });
      expect(renewed.body.backup_codes).toHaveLength(10);
      expect((await signIn(codes[0])).status).toBe(401);
      expect((await signIn(renewed.body.backup_codes[0])).status).toBe(200);
    });

    it('cannot be guessed by who took a session over', async () => {
      await enroll();
      const guesses = await Promise.all(
        Array.from({ length: 12 }, (_, index) => post('totp/disable', { code: `00000${index % 10}` })),
      );
      const codes = guesses.map(({ body }) => body.code);
      expect(codes.filter((each) => each === 'wrong_code')).toHaveLength(5);
      expect(guesses.filter(({ status }) => status === 429)).toHaveLength(7);
    });

    it.each(['totp/disable', 'totp/backup-codes'])(
      'cannot be guessed at %s by who knows the password',
      async (path) => {
        await enroll();
        const guess = async () => (await post(path, { password: adminPassword, code: '000000' })).body.code;
        for (let count = 0; count < 5; count++) expect(await guess()).toBe('wrong_code');
        expect(await guess()).toBe('account_locked');
      },
    );

    it('must be set up by who is signed in already, and stays on until the settings let it go', async () => {
      await service.call('PUT', '/api/settings/security', { require2FA: true }, token);
      const sites = async () => (await service.call('GET', '/api/sites', undefined, token)).status;
      expect(await sites()).toBe(403);
      const { secret } = await enroll();
      expect(await sites()).toBe(200);
      const once = code(secret);
      expect(await post('totp/disable', { code: once })).toMatchObject({
        status: 409,
        body: { code: 'conflict', error: expect.stringContaining('2FA is required for all users') },
      });
      expect(await sites()).toBe(200);
      await service.call('PUT', '/api/settings/security', { require2FA: false }, token);
      expect((await post('totp/disable', { code: once })).status).toBe(200);
    });

    it('must be set up at the next sign-in where the settings require it', async () => {
      await service.call('PUT', '/api/settings/security', { require2FA: true }, token);
      const signedIn = (await signIn()).body;
      expect(signedIn.user).toMatchObject({ permissions: [], totp_setup_required: true });
      const refused = await service.call('GET', '/api/sites', undefined, signedIn.token);
      expect(refused).toMatchObject({ status: 403, body: { code: 'totp_setup_required' } });
      token = signedIn.token;
      await enroll();
      expect((await service.call('GET', '/api/sites', undefined, token)).status).toBe(200);
      const me = await service.call('GET', '/api/auth/me', undefined, token);
      expect(me.body.user).not.toHaveProperty('totp_setup_required');
    });

    it('leaves neither seed nor backup code in the database as they are', async () => {
      const { secret, codes } = await enroll();
      await service.service.stop();
      const storage = await openStorage({ dataDir: service.dataDir, databaseUrl });
      const users = await storage.read.selectFrom('users').selectAll().execute();
      await storage.close();
      expect(users).toMatchObject([{ email: adminEmail, totp_secret: expect.any(String) }]);
      const files = (await readdir(service.dataDir)).filter((name) => name.startsWith('portcullis.sqlite'));
      expect(files.length > 0).toBe(dialect.name === 'sqlite');
      const bytes = await Promise.all(files.map((name) => readFile(`${service.dataDir}/${name}`, 'latin1')));
      for (const text of [JSON.stringify(users), ...bytes]) {
        for (const each of [secret, ...codes]) expect(text).not.toContain(each);
      }
    });
  });
}
