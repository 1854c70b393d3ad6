import { sql } from 'kysely';
import { generateSync } from 'otplib';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openStorage, type Storage, type Trx } from '../storage/index.ts';
import { testDialects } from '../storage/testing/index.ts';
import { adminPassword, startService, type TestService } from '../testing/index.ts';

const soon = { timeout: 30_000, interval: 20 };
const stepMs = 30_000;
const codeOf = (secret: string, clock: number) => generateSync({ secret, epoch: Math.floor(clock / 1000) });

const postgres = testDialects().find(({ name }) => name === 'postgres');
const missing = postgres?.missing;

describe.skipIf(missing)(`what happens to an account at one moment${missing ? ` (${missing})` : ''}`, () => {
  let service: TestService;
  let gate: Storage;
  let clock: number;
  const user = { email: 'held@example.com', role: 'operator', password: adminPassword };
  const signIn = (more: object = {}) =>
    service.call('POST', '/api/auth/login', { email: user.email, password: user.password, ...more });

  beforeEach(async () => {
    clock = 1_790_000_000_000;
    const databaseUrl = await postgres?.databaseUrl();
    service = await startService({ databaseUrl, now: () => clock, adminTrustedProxies: ['127.0.0.1'] });
    gate = await openStorage({ dataDir: service.dataDir, databaseUrl });
    await service.call('POST', '/api/users', user, await service.signIn());
  });
  afterEach(async () => {
    await gate.close();
    await service.stop();
  });
  afterAll(() => postgres?.stop());

  /** Changes the account while `request` has checked it already and waits to write. @returns the answer to it */
  const duringWrite = async <T>(
    change: (trx: Trx, id: string) => Promise<unknown>,
    request: () => Promise<T>,
  ) =>
    gate
      .transaction(async (trx) => {
        const held = await sql<{ id: string }>`
          select id from users where email = ${user.email} for update`.execute(trx);
        const answer = request();
        await vi.waitFor(async () => {
          const waiting = await sql<{
            n: number;
          }>`select count(*) as n from pg_locks where not granted`.execute(gate.db);
          expect(waiting.rows[0]?.n).toBe(1);
        }, soon);
        await change(trx, String(held.rows[0]?.id));
        return { answer };
      })
      .then(({ answer }) => answer);

  const changes: Record<string, (trx: Trx, id: string) => Promise<unknown>> = {
    'got another password': (trx, id) =>
      trx.updateTable('users').set({ password_hash: 'another' }).where('id', '=', id).execute(),
    'was disabled': (trx, id) => trx.updateTable('users').set({ disabled: 1 }).where('id', '=', id).execute(),
    'turned 2FA on': (trx, id) =>
      trx.updateTable('users').set({ totp_secret: 'sealed' }).where('id', '=', id).execute(),
    'was deleted': (trx, id) => trx.deleteFrom('users').where('id', '=', id).execute(),
  };
  for (const [what, change] of Object.entries(changes)) {
    it(`opens no session for who signed in while the account ${what}`, async () => {
      const answer = await duringWrite(change, signIn);
      expect(answer).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } });
      const sessions = await gate.db
        .selectFrom('sessions')
        .innerJoin('users', 'users.id', 'sessions.user_id')
        .where('email', '=', user.email)
        .selectAll()
        .execute();
      expect(sessions).toEqual([]);
    });
  }

  it('keeps the password that was set while the old one was given for a change', async () => {
    const { token } = (await signIn()).body;
    const body = { currentPassword: user.password, newPassword: 'Another-horse-8!' };
    const answer = await duringWrite(changes['got another password']!, () =>
      service.call('POST', '/api/auth/change-password', body, token),
    );
    expect(answer).toMatchObject({ status: 400, body: { code: 'wrong_password' } });
  });

  /** Turns 2FA on for the user. */
  const enroll = async () => {
    const { token } = (await signIn()).body;
    const { secret } = (await service.call('POST', '/api/auth/totp/enroll', undefined, token)).body;
    const verified = await Promise.all(
      Array.from({ length: 5 }, () =>
        service.call('POST', '/api/auth/totp/verify', { code: codeOf(secret, clock), secret }, token),
      ),
    );
    const won = verified.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    clock += stepMs;
    return { secret: String(secret), codes: won[0]?.body.backup_codes as string[], token };
  };

  it('takes one code once of twenty sign-ins, and each of several backup codes once', async () => {
    const { secret, codes } = await enroll();
    const right = { totpCode: codeOf(secret, clock) };
    const answers = await Promise.all(Array.from({ length: 20 }, () => signIn(right)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    clock += 3_600_000;
    const backup = await Promise.all([0, 0, 1, 1].map((n) => signIn({ totpCode: codes[n] })));
    expect(backup.filter(({ status }) => status === 200)).toHaveLength(2);
  });

  it('lets nobody guess more codes by asking from many addresses at once', async () => {
    await enroll();
    const answers = await Promise.all(
      Array.from({ length: 40 }, async (_, host) => {
        const answer = await fetch(`${service.base}/api/auth/login`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-forwarded-for': `192.0.${host}.1` },
          body: JSON.stringify({ email: user.email, password: user.password, totpCode: '000000' }),
        });
        return ((await answer.json()) as { code: string }).code;
      }),
    );
    expect(answers.filter((code) => code === 'invalid_totp_code')).toHaveLength(5);
  });

  it('has a right backup code taken while another is used up by a second service', async () => {
    const { codes } = await enroll();
    const answer = await duringWrite(
      (trx, id) =>
        sql`update users set backup_codes = (backup_codes::jsonb - 0)::text where id = ${id}`.execute(trx),
      () => signIn({ totpCode: codes[1] }),
    );
    expect(answer.status).toBe(200);
  });

  it('turns 2FA off once, and the 2FA that was set up anew stays', async () => {
    const { codes, token } = await enroll();
    const answer = await duringWrite(
      (trx, id) => trx.updateTable('users').set({ totp_secret: 'anew' }).where('id', '=', id).execute(),
      () =>
        service.call('POST', '/api/auth/totp/disable', { password: user.password, code: codes[0] }, token),
    );
    expect(answer.status).toBe(400);
    const row = await gate.db
      .selectFrom('users')
      .select('totp_secret')
      .where('email', '=', user.email)
      .executeTakeFirstOrThrow();
    expect(row.totp_secret).toBe('anew');
  });
});
