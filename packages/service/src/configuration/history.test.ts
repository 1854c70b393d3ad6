import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TestStorage, testDialects } from '../storage/testing/index.ts';
import type { EntityChange } from './change.ts';
import { staleVersion } from './conflict.ts';
import { listVersions, presentVersion } from './history.ts';
import { recordVersion } from './repository.ts';
import { statesAt } from './states.ts';

const author = { email: 'ada@example.com', ip: '' };
const now = 1_790_000_000_000;
const list = (id: string, before: object | null, after: object | null): EntityChange => ({
  ...{ kind: 'address_list', id, name: id, before, after },
});

for (const dialect of testDialects()) {
  const why = dialect.missing ? ` (${dialect.missing})` : '';
  describe.skipIf(dialect.missing !== undefined)(`a history of large things on ${dialect.name}${why}`, () => {
    let storage: TestStorage;
    const keep = (version: number, ...changes: EntityChange[]) =>
      storage.transaction((trx) =>
        recordVersion(trx, version, { reason: `r${version}`, changes }, author, now),
      );
    const x = (version: number) => ({ version, value: { x: version } });

    beforeEach(async () => {
      storage = await dialect.open();
      await keep(2, list('a', null, x(1)));
      await keep(3, list('b', null, x(1)), list('c', null, x(1)));
      await keep(4, list('a', x(1), x(2)));
      await keep(5, list('a', x(2), x(3)), list('a', x(3), x(4)), list('c', x(1), null));
      // As an earlier release wrote it.
      await storage.db
        .updateTable('config_versions')
        .set({ touched: null })
        .where('version', 'in', [3, 4])
        .execute();
    });
    afterEach(() => storage.close());
    afterAll(() => dialect.stop());

    it('tells how each thing stood at a version, as its first change after it has it', async () => {
      const at = async (version: number) =>
        Object.fromEntries(
          (await statesAt(storage.read, version, async () => null))?.map(({ id, state }) => [id, state]) ??
            [],
        );
      expect(await at(1)).toEqual({ a: null, b: null, c: null });
      expect(await at(2)).toEqual({ a: x(1), b: null, c: null });
      expect(await at(4)).toEqual({ a: x(2), c: x(1) });
      expect(await at(5)).toEqual({});
    });

    it('is listed, and told of to who is behind, without reading what stood before and after', async () => {
      await storage.db
        .updateTable('config_versions')
        .set({ changes: 'large' })
        .where('touched', 'is not', null)
        .execute();
      const versions = (await listVersions(storage.read, 9)).map(presentVersion);
      expect(versions.map(({ version }) => version)).toEqual([5, 4, 3, 2]);
      expect(versions[0]?.changes).toEqual([
        { kind: 'address_list', id: 'a', name: 'a', change: 'updated', fields: ['x'] },
        { kind: 'address_list', id: 'a', name: 'a', change: 'updated', fields: ['x'] },
        { kind: 'address_list', id: 'c', name: 'c', change: 'deleted', fields: [] },
      ]);
      const stored = { kind: 'address_list', id: 'a', version: 4, updatedBy: author.email, updatedAt: now };
      const stale = await storage.transaction((trx) => staleVersion(trx, stored, 1));
      // Three changes since: two of version 5, one of version 4.
      expect(stale?.issues).toHaveLength(4);
      expect(stale?.message).toContain('ada@example.com changed x in the meantime');
    });
  });
}
