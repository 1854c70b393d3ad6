import { maxTemporaryEntries } from '@portcullis/contract/access';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDialects } from '../storage/testing/index.ts';
import { startService, type TestService } from '../testing/index.ts';

for (const dialect of testDialects()) {
  const why = dialect.missing ? ` (${dialect.missing})` : '';
  describe.skipIf(dialect.missing !== undefined)(`an address list on ${dialect.name}${why}`, () => {
    let service: TestService;
    let token: string;
    let clock = Date.now();
    const call = (method: string, path: string, body?: unknown) =>
      service.call(method, `/api/access/lists${path}`, body, token);
    const list = { name: 'Scanners', action: 'block', entries: ['192.0.2.1'] };
    beforeAll(async () => {
      service = await startService({ databaseUrl: await dialect.databaseUrl(), now: () => clock });
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

    it('has entries that end, each at its time, without a save and without a version of the history', async () => {
      const after = (seconds: number) => new Date(clock + seconds * 1000).toISOString();
      const temporary = [
        { entry: '198.51.100.7', expires_at: after(1800) },
        { entry: '198.51.100.0/24', expires_at: after(86_400) },
        { entry: '203.0.113.9', expires_at: after(60) },
        { entry: '203.0.113.9', expires_at: after(600) },
        { entry: '203.0.113.10', expires_at: after(-1) },
      ];
      const [halfHour, day, , minutes] = temporary;
      const { body: made } = await call('POST', '', { ...list, name: 'For a while', temporary });
      expect(made.temporary).toEqual([halfHour, day, minutes]);
      const served = () => {
        const [directive] = service.service.controlPlane.current();
        const lists = directive?.type === 'snapshot' ? directive.snapshot.addressLists : [];
        return lists.find(({ id }) => id === made.id)?.temporary;
      };
      expect(served()).toEqual([halfHour, day, minutes]);
      const listed = async (query = '') =>
        (await call('GET', query)).body.find(({ id }: { id: string }) => id === made.id);
      clock += 1_800_000;
      expect((await listed('?entries=none')).temporary).toEqual([day]);

      // Who does not know of them keeps them, and what has ended is no change.
      const same = await call('PUT', `/${made.id}`, { ...list, name: 'For a while' });
      expect(same.body).toMatchObject({ version: 1, temporary: [day] });
      const renamed = await call('PUT', `/${made.id}`, { ...list, name: 'Until tomorrow' });
      expect(renamed.body).toMatchObject({ version: 2, temporary: [day] });
      expect(served()).toEqual([day]);
      const none = await call('PUT', `/${made.id}`, { ...list, name: 'Until tomorrow', temporary: [] });
      expect(none.body).toMatchObject({ version: 3, temporary: [] });
      const versions = await service.call('GET', '/api/configuration/versions?limit=2', undefined, token);
      expect(versions.body.map((one: { changes: { fields: string[] }[] }) => one.changes[0]?.fields)).toEqual(
        [['temporary'], ['name']],
      );
      await service.call(
        'POST',
        `/api/configuration/versions/${versions.body[1].version}/restore`,
        {},
        token,
      );
      expect((await listed()).temporary).toEqual([day]);
      expect((await call('DELETE', `/${made.id}`)).status).toBe(204);
    });

    it('refuses ends that are none, and more of them than all lists may have together', async () => {
      const until = (expires_at: string) => [{ entry: '192.0.2.9', expires_at }];
      for (const end of ['tomorrow', '2026-13-01T00:00:00Z', '2026-12-01'])
        expect((await call('POST', '', { ...list, temporary: until(end) })).body.issues).toMatchObject([
          { path: 'temporary.0.expires_at' },
        ]);
      const expires_at = new Date(clock + 1000).toISOString();
      const many = (net: number, count: number) =>
        Array.from({ length: count }, (_, n) => ({ entry: `10.${net}.${n >> 8}.${n & 255}`, expires_at }));
      const first = await call('POST', '', { ...list, temporary: many(1, maxTemporaryEntries) });
      expect(first.body.temporary).toHaveLength(maxTemporaryEntries);
      const over = await call('POST', '', { ...list, temporary: many(2, 1) });
      expect(over).toMatchObject({ status: 422, body: { issues: [{ path: 'temporary' }] } });
      clock += 1000;
      expect(
        (await call('POST', '', { ...list, temporary: until(new Date(clock + 1).toISOString()) })).status,
      ).toBe(200);
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
