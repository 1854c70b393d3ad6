import { afterAll, describe, expect, it } from 'vitest';
import { openStorage } from '../storage/index.ts';
import { testDialects } from '../storage/testing/index.ts';
import { startService } from '../testing/index.ts';

for (const dialect of testDialects()) {
  const why = dialect.missing ? ` (${dialect.missing})` : '';
  describe.skipIf(dialect.missing !== undefined)(`the chain of actions on ${dialect.name}${why}`, () => {
    afterAll(() => dialect.stop());

    it('is read page by page without a gap, also where the clock was put back', async () => {
      let clock = 1_790_000_000_000;
      const databaseUrl = await dialect.databaseUrl();
      const service = await startService({ databaseUrl, now: () => clock });
      try {
        const token = await service.signIn();
        for (const step of [60_000, -120_000, 1000]) {
          clock += step;
          for (const name of [`a${step}`, `b${step}`])
            await service.call('POST', '/api/access/lists', { name, action: 'block' }, token);
        }
        const page = async (query: string) =>
          (await service.call('GET', `/api/audit/admin?${query}`, undefined, token)).body.entries as {
            id: string;
          }[];
        const all = await page('limit=500');
        const read: { id: string }[] = [];
        for (let next = await page('limit=3'); next.length > 0; ) {
          read.push(...next);
          next = await page(`limit=3&before=${read.at(-1)?.id}`);
        }
        expect(read).toEqual(all);
        const unknown = await service.call('GET', '/api/audit/admin?before=act_none', undefined, token);
        expect(unknown).toMatchObject({ status: 422, body: { issues: [{ path: 'query.before' }] } });
      } finally {
        await service.stop();
      }
    });

    it('is whole however many write at once, and names the entry that was changed or follows one that is gone', async () => {
      const databaseUrl = await dialect.databaseUrl();
      const service = await startService({ databaseUrl });
      const storage = await openStorage({ dataDir: service.dataDir, databaseUrl });
      try {
        const token = await service.signIn();
        const lists = Array.from({ length: 8 }, (_, index) => ({ name: `List ${index}`, action: 'block' }));
        await Promise.all(lists.map((list) => service.call('POST', '/api/access/lists', list, token)));
        const read = async () =>
          (await service.call('GET', '/api/audit/admin?limit=500', undefined, token)).body;
        const { entries, brokenAt } = await read();
        expect(brokenAt).toBeNull();
        expect(entries.length).toBeGreaterThan(8);
        const [, , changed, removed] = entries as { id: string; message: string }[];
        if (!changed || !removed) throw new Error('too few entries');
        const write = (message: string) =>
          storage.db.updateTable('admin_audit').set({ message }).where('id', '=', changed.id).execute();
        await write('nothing happened');
        expect((await read()).brokenAt).toBe(changed.id);
        await write(changed.message);
        expect((await read()).brokenAt).toBeNull();
        await storage.db.deleteFrom('admin_audit').where('id', '=', removed.id).execute();
        expect((await read()).brokenAt).toBe(changed.id);
      } finally {
        await storage.close();
        await service.stop();
      }
    });
  });
}
