import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDialects } from '../storage/testing/index.ts';
import { startService, type TestService } from '../testing/index.ts';

for (const dialect of testDialects()) {
  const why = dialect.missing ? ` (${dialect.missing})` : '';
  describe.skipIf(dialect.missing !== undefined)(`an address list on ${dialect.name}${why}`, () => {
    let service: TestService;
    let token: string;
    const call = (method: string, path: string, body?: unknown) =>
      service.call(method, `/api/access/lists${path}`, body, token);
    const list = { name: 'Scanners', action: 'block', entries: ['192.0.2.1'] };
    beforeAll(async () => {
      service = await startService({ databaseUrl: await dialect.databaseUrl() });
      token = await service.signIn();
    });
    afterAll(async () => {
      await service.stop();
      await dialect.stop();
    });

    it('has a version, and a change of a stale one names who was before and what they changed', async () => {
      const { body: made } = await call('POST', '', list);
      expect(made.version).toBe(1);
      const changed = await call('PUT', `/${made.id}`, { ...list, entries: ['192.0.2.0/24'], version: 1 });
      expect(changed.body).toMatchObject({ version: 2, entries: ['192.0.2.0/24'] });
      const stale = await call('PUT', `/${made.id}`, { ...list, name: 'Lost', version: 1 });
      expect(stale).toMatchObject({
        status: 409,
        body: {
          code: 'version_conflict',
          error: expect.stringContaining('admin@example.com changed entries in the meantime'),
          issues: [{ path: 'version' }, { path: 'entries' }],
        },
      });
      expect((await call('GET', '')).body).toEqual([changed.body]);
      expect((await call('PUT', `/${made.id}`, list)).body.version).toBe(3);
    });

    it('is refused for a site that is not there and for what is no address, all at once', async () => {
      const wrong = await call('POST', '', { ...list, entries: ['192.0.2.1', 'nobody', '10.0.0.0/40'] });
      expect(wrong.status).toBe(422);
      expect(wrong.body.issues.map(({ path }: { path: string }) => path)).toEqual(['entries.1', 'entries.2']);
      const nowhere = await call('POST', '', { ...list, siteId: 'site_none' });
      expect(nowhere.body.issues).toMatchObject([{ path: 'siteId' }]);
      expect((await call('PUT', '/list_none', list)).status).toBe(404);
      expect((await call('DELETE', '/list_none')).status).toBe(404);
    });
  });
}
