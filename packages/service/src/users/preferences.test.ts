import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { subscribersTo } from '../notifications/subscribers.ts';
import { openStorage } from '../storage/index.ts';
import { testDialects } from '../storage/testing/index.ts';
import { startService } from '../testing/index.ts';

it('keeps a theme that follows the system by the word that every version reads, whichever is sent', async () => {
  const service = await startService({});
  onTestFinished(() => service.stop());
  const token = await service.signIn();
  const storage = await openStorage({ dataDir: service.dataDir });
  onTestFinished(() => storage.close());
  for (const theme of ['system', 'auto']) {
    const saved = await service.call('PUT', '/api/users/preferences', { theme }, token);
    expect([saved.status, saved.body.theme]).toEqual([200, 'auto']);
    const { body } = await service.call('GET', '/api/users/preferences', undefined, token);
    expect(body.theme).toBe('auto');
    const rows = await storage.read.selectFrom('users').select('preferences').execute();
    expect(rows.map(({ preferences }) => JSON.parse(preferences).theme)).toEqual(['auto']);
  }
});

it('reads a theme that an earlier version stored by the other word', async () => {
  const service = await startService({});
  onTestFinished(() => service.stop());
  const token = await service.signIn();
  const storage = await openStorage({ dataDir: service.dataDir });
  onTestFinished(() => storage.close());
  const preferences = JSON.stringify({ theme: 'system', notifications: { security_alerts: true } });
  await storage.db.updateTable('users').set({ preferences }).execute();
  const { status, body } = await service.call('GET', '/api/users/preferences', undefined, token);
  expect([status, body.theme]).toEqual([200, 'auto']);
  expect(await subscribersTo(storage.db, 'attacks')).toHaveLength(1);
  const changed = await service.call('PUT', '/api/users/preferences', { timeFormat: '24h' }, token);
  expect([changed.status, changed.body.theme]).toEqual([200, 'auto']);
});

it('says of the theme in its description what it takes and what it answers', async () => {
  const service = await startService({});
  onTestFinished(() => service.stop());
  const { body } = await service.call('GET', '/api/openapi.json');
  const named = (schema: object): object => {
    const [, name] = /"#\/components\/schemas\/(\w+)"/.exec(JSON.stringify(schema)) ?? [];
    return name === undefined ? schema : body.components.schemas[name];
  };
  const { put } = body.paths['/users/preferences'];
  expect(JSON.stringify(named(put.requestBody))).toContain('"system"');
  expect(JSON.stringify(named(put.responses[200]))).toContain('"auto"');
  expect(JSON.stringify(named(put.responses[200]))).not.toContain('"system"');
});

for (const dialect of testDialects()) {
  const why = dialect.missing ? ` (${dialect.missing})` : '';
  describe.skipIf(dialect.missing !== undefined)(`an account's own on ${dialect.name}${why}`, () => {
    afterAll(() => dialect.stop());

    it('keeps every field of changes that are made at once, and no more tokens than it may have', async () => {
      const service = await startService({ databaseUrl: await dialect.databaseUrl() });
      onTestFinished(() => service.stop());
      const token = await service.signIn();
      const put = (body: unknown) => service.call('PUT', '/api/users/preferences', body, token);
      const display = ['compact_mode', 'high_contrast', 'sidebar_collapsed'];
      const notifications = ['browser', 'slack', 'weekly_reports'];
      const saved = await Promise.all([
        ...display.map((field) => put({ display: { [field]: true } })),
        ...notifications.map((field) => put({ notifications: { [field]: true } })),
        put({ timeFormat: '24h' }),
      ]);
      expect(saved.map(({ status }) => status)).toEqual(saved.map(() => 200));
      const { body } = await service.call('GET', '/api/users/preferences', undefined, token);
      expect(body.timeFormat).toBe('24h');
      expect(display.map((field) => body.display[field])).toEqual([true, true, true]);
      expect(notifications.map((field) => body.notifications[field])).toEqual([true, true, true]);

      const make = (count: number) =>
        Promise.all(
          Array.from({ length: count }, (_, n) =>
            service.call(
              'POST',
              '/api/auth/api-tokens',
              { name: `t${n}`, permissions: ['site:view'] },
              token,
            ),
          ),
        );
      for (let round = 0; round < 5; round += 1) await make(9);
      const made = await make(8);
      expect(made.filter(({ status }) => status === 200)).toHaveLength(5);
      expect(new Set(made.map(({ status }) => status))).toEqual(new Set([200, 409]));
    });
  });
}
