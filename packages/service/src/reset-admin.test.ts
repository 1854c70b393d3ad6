import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { resetAdmin } from './maintenance.ts';
import { sqliteFileName } from './storage/index.ts';
import { testDialects } from './storage/testing/index.ts';
import { adminEmail, startService } from './testing/index.ts';

for (const dialect of testDialects()) {
  const why = dialect.missing ? ` (${dialect.missing})` : '';
  describe.skipIf(dialect.missing !== undefined)(
    `a reset of an administrator on ${dialect.name}${why}`,
    () => {
      afterAll(() => dialect.stop());

      it('ends what was signed in before, API tokens too, and stands in the audit log', async () => {
        const databaseUrl = await dialect.databaseUrl();
        const service = await startService({ databaseUrl });
        try {
          const session = await service.signIn();
          const wanted = { name: 'ci', permissions: ['user:view'], expiresInDays: 30 };
          const { secret } = (await service.call('POST', '/api/auth/api-tokens', wanted, session)).body;
          const { token } = await resetAdmin({ dataDir: service.dataDir, databaseUrl, operator: 'ada' });
          const password = 'Another-horse-9!';
          const done = await service.call('POST', '/api/setup', { token, email: adminEmail, password });
          expect(done.status).toBe(200);
          for (const old of [session, secret])
            expect((await service.call('GET', '/api/users', undefined, old)).status).toBe(401);
          const renewed = await service.signIn(adminEmail, password);
          const { entries } = (await service.call('GET', '/api/audit/admin', undefined, renewed)).body;
          expect(entries).toContainEqual(
            expect.objectContaining({ actor: 'command line (ada)', action: 'auth.setup', level: 'warning' }),
          );
        } finally {
          await service.stop();
        }
      });

      it('makes nothing in a folder that holds no installation', async () => {
        const service = await startService();
        await service.stop();
        await expect(resetAdmin({ dataDir: service.dataDir, operator: 'ada' })).rejects.toThrow(
          /no database/i,
        );
        expect(existsSync(path.join(service.dataDir, sqliteFileName))).toBe(false);
      });
    },
  );
}
