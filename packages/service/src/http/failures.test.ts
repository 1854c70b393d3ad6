import { endpoint } from '@portcullis/contract/api';
import { LoginRequest } from '@portcullis/contract/auth';
import { afterAll, describe, expect, it } from 'vitest';
import { success } from '../outcome.ts';
import { testDialects } from '../storage/testing/index.ts';
import { createApp } from './app.ts';
import { issuesOf } from './failures.ts';
import { serve } from './serve.ts';

const late = endpoint({
  method: 'POST',
  path: '/late',
  access: 'public',
  summary: 'Stores what was stored meanwhile',
});

describe('what a schema finds wrong', () => {
  it('is told once, also where two checks say it in the same words', () => {
    const { error } = LoginRequest.safeParse({ email: [] });
    expect(error && issuesOf(error)).toEqual([
      { path: 'email', message: 'Email is required' },
      { path: 'password', message: 'Password is required' },
    ]);
  });
});

for (const dialect of testDialects()) {
  const why = dialect.missing ? ` (${dialect.missing})` : '';
  describe.skipIf(dialect.missing !== undefined)(
    `a call that comes too late on ${dialect.name}${why}`,
    () => {
      afterAll(() => dialect.stop());

      it('is a conflict to its client, and a warning with its place in the log', async () => {
        const storage = await dialect.open();
        const warned: [string, unknown][] = [];
        const failed: string[] = [];
        const app = await createApp({
          log: {
            info: () => {},
            warn: (message, fields) => void warned.push([message, fields]),
            error: (message) => void failed.push(message),
          },
          adminHost: '127.0.0.1',
          authenticate: async () => ({ status: 'absent' }),
          crossOrigin: async () => ({ corsEnabled: false, allowedOrigins: [] }),
          notReady: async () => undefined,
        });
        serve(app, late, async () => {
          const row = { key: 'very-secret', value: '{}', updated_at: 0 };
          await storage.db.insertInto('settings').values(row).execute();
          return success(undefined);
        });
        const call = () => app.inject({ method: 'POST', url: '/api/late', headers: { host: '127.0.0.1' } });
        expect((await call()).statusCode).toBe(204);
        const refused = await call();
        expect([refused.statusCode, refused.json().code]).toEqual([409, 'conflict']);
        expect(refused.body).not.toMatch(/very-secret|settings/);
        expect(warned).toEqual([
          [
            'A call met what another one changed meanwhile',
            {
              method: 'POST',
              route: '/api/late',
              kind: 'unique',
              reason: expect.stringContaining('settings'),
            },
          ],
        ]);
        expect(failed).toEqual([]);
        await app.close();
        await storage.close();
      });
    },
  );
}
