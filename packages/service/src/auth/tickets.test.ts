import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStorage, type Storage, type Trx } from '../storage/index.ts';
import { testDialects } from '../storage/testing/index.ts';
import { adminPassword, startService, type TestService } from '../testing/index.ts';

for (const dialect of testDialects()) {
  const why = dialect.missing ? ` (${dialect.missing})` : '';
  describe.skipIf(dialect.missing !== undefined)(
    `who is gone at the same moment on ${dialect.name}${why}`,
    () => {
      const email = 'gone@example.com';
      let service: TestService;
      let beside: Storage;
      let token: string;
      beforeEach(async () => {
        const databaseUrl = await dialect.databaseUrl();
        service = await startService({ databaseUrl });
        const user = { email, role: 'operator', password: adminPassword };
        await service.call('POST', '/api/users', user, await service.signIn());
        token = await service.signIn(email);
        beside = await openStorage({ dataDir: service.dataDir, databaseUrl });
      });
      afterEach(async () => {
        await beside.close();
        await service.stop();
      });
      afterAll(() => dialect.stop());

      /** Calls while `change` is made and not yet there: the call is let in, and its write waits. */
      const during = async (change: (trx: Trx) => Promise<unknown>, path: string, body?: unknown) => {
        const answer = await beside.transaction(async (trx) => {
          await change(trx);
          const asked = service.call('POST', `/api/auth/${path}`, body, token);
          expect((await service.call('GET', '/api/auth/me', undefined, token)).status).toBe(200);
          return { asked };
        });
        return answer.asked;
      };

      it('gets no ticket, and is told that the session ended', async () => {
        const { status, body } = await during((trx) => trx.deleteFrom('sessions').execute(), 'stream-ticket');
        expect([status, body.code]).toEqual([401, 'session_expired']);
      });

      it('gets no API token, and no failure of ours', async () => {
        const { status, body } = await during(
          (trx) => trx.deleteFrom('users').where('email', '=', email).execute(),
          'api-tokens',
          { name: 'late', permissions: ['site:view'] },
        );
        expect([401, 409]).toContain(status);
        expect(['session_expired', 'conflict']).toContain(body.code);
        const lines = service.logged.filter((line) => line.includes('met what another one changed'));
        expect(lines).toHaveLength(status === 409 ? 1 : 0);
      });
    },
  );
}
