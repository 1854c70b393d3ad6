import { afterAll, describe, expect, it } from 'vitest';
import { openStorage } from '../storage/index.ts';
import { testDialects } from '../storage/testing/index.ts';
import { startService } from '../testing/index.ts';

for (const dialect of testDialects()) {
  const why = dialect.missing ? ` (${dialect.missing})` : '';
  describe.skipIf(dialect.missing !== undefined)(`the chain of actions on ${dialect.name}${why}`, () => {
    afterAll(() => dialect.stop());

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
