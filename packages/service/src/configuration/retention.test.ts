import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStorage, type Storage } from '../storage/index.ts';
import { testDialects } from '../storage/testing/index.ts';
import { startService, type TestService } from '../testing/index.ts';
import { historyStart, pruneHistory } from './retention.ts';

const dayMs = 86_400_000;
const limits = { days: 30, versions: 3 };

for (const dialect of testDialects()) {
  const why = dialect.missing ? ` (${dialect.missing})` : '';
  describe.skipIf(dialect.missing !== undefined)(`the history on ${dialect.name}${why}`, () => {
    let service: TestService;
    let storage: Storage;
    let token: string;
    const call = (method: string, path: string, body?: unknown) =>
      service.call(method, `/api${path}`, body, token);
    const versions = async () =>
      (await call('GET', '/configuration/versions')).body.map((one: { version: number }) => one.version);
    const name = async (systemName: string) => call('PUT', '/settings/general', { systemName });

    beforeAll(async () => {
      const databaseUrl = await dialect.databaseUrl();
      service = await startService({ databaseUrl });
      storage = await openStorage({ dataDir: service.dataDir, databaseUrl });
      token = await service.signIn();
      for (const one of ['2', '3', '4', '5', '6', '7']) await name(one);
    });
    afterAll(async () => {
      await storage.close();
      await service.stop();
      await dialect.stop();
    });

    it('loses only its oldest versions: none that is young, in use or of the newest', async () => {
      const now = Date.now();
      expect(await pruneHistory(storage, limits, now)).toBe(0);
      const later = now + 31 * dayMs;
      expect(await pruneHistory(storage, limits, later, 4)).toBe(2);
      expect(await versions()).toEqual([7, 6, 5, 4]);
      await storage.db
        .updateTable('config_versions')
        .set({ created_at: later })
        .where('version', '=', 4)
        .execute();
      expect(await pruneHistory(storage, limits, later)).toBe(0);
      expect(await pruneHistory(storage, limits, later + 31 * dayMs)).toBe(1);
      expect(await pruneHistory(storage, { ...limits, versions: 100 }, later + 99 * dayMs)).toBe(0);
      expect([await versions(), await historyStart(storage.read)]).toEqual([[7, 6, 5], 5]);
    });

    it('brings back each version that it still has, and not the empty installation of which it knows too little', async () => {
      const restore = (version: number) => call('POST', `/configuration/versions/${version}/restore`);
      expect([(await restore(1)).status, (await restore(4)).status]).toEqual([404, 404]);
      expect((await restore(5)).status).toBe(200);
      expect((await call('GET', '/settings/general')).body.systemName).toBe('5');
    });

    it('holds a long list that is fed again and again by what changed, and brings each state back', async () => {
      const feed = (turn: number) =>
        Array.from({ length: 5000 }, (_, n) => `10.${n % 70 === turn ? turn : 200}.${n >> 8}.${n & 255}`);
      const list = { name: 'Feed', action: 'block', entries: feed(0) };
      const { id } = (await call('POST', '/access/lists', list)).body;
      for (const turn of [1, 2, 3])
        await call('PUT', `/access/lists/${id}`, { ...list, entries: feed(turn) });
      await call('PUT', `/access/lists/${id}`, { ...list, entries: feed(3).toReversed() });
      await call('DELETE', `/access/lists/${id}`);
      const rows = await storage.read.selectFrom('config_versions').select(['version', 'changes']).execute();
      const bytes = (version: number) => rows.find((row) => row.version === version)?.changes.length ?? 0;
      const whole = JSON.stringify(feed(0)).length;
      for (const version of [10, 11, 12]) expect(bytes(version)).toBeLessThan(whole / 5);

      const shown = (await call('GET', '/configuration/versions/11')).body.changes[0];
      expect(shown).toMatchObject({ fields: ['entries'], change: 'updated' });
      expect(shown.long).toEqual({ entries: { before: 5000, after: 5000, removed: 144, added: 144 } });
      expect([shown.before.entries.length, shown.after.entries.length]).toEqual([144, 144]);
      const gone = (await call('GET', '/configuration/versions/14')).body.changes[0];
      expect(gone).toMatchObject({ change: 'deleted', after: null });
      expect(gone.long).toEqual({ entries: { before: 5000, after: 0, removed: 5000, added: 0 } });
      expect(gone.before.entries).toHaveLength(1000);

      for (const turn of [2, 0, 3]) {
        expect((await call('POST', `/configuration/versions/${9 + turn}/restore`)).status).toBe(200);
        const [stored] = (await call('GET', '/access/lists')).body;
        expect(stored).toMatchObject({ id, entries: feed(turn) });
      }
    });
  });
}
