import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadSealer, type Sealer } from '../sealing/index.ts';
import { type TestStorage, testDialects } from '../storage/testing/index.ts';
import { createChainWatch } from './chain-watch.ts';
import { createAuditLog } from './log.ts';

const action = { action: 'site.update', level: 'info', message: 'Changed', actor: 'ada', ip: '' } as const;

for (const dialect of testDialects()) {
  const why = dialect.missing ? ` (${dialect.missing})` : '';
  describe.skipIf(dialect.missing !== undefined)(`a watch on the chain on ${dialect.name}${why}`, () => {
    let storage: TestStorage;
    let sealer: Sealer;
    let ids: string[];
    const watch = () => createChainWatch(storage, sealer, () => 1000, 20);
    const write = (count: number) =>
      storage.transaction(async (trx) => {
        const log = createAuditLog(storage, () => 1);
        const records = [];
        for (let left = count; left > 0; left -= 1) records.push((await log.append(trx, action)).id);
        return records;
      });
    const change = (id: string | undefined, message: string) =>
      storage.db
        .updateTable('admin_audit')
        .set({ message })
        .where('id', '=', id ?? '')
        .execute();
    const setMeta = (key: string, value: string) =>
      storage.db.updateTable('meta').set({ value }).where('key', '=', key).execute();
    const meta = async (key: string) =>
      (await storage.db.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst())
        ?.value ?? '';

    beforeEach(async () => {
      storage = await dialect.open();
      sealer = await loadSealer(storage.dataDir);
      ids = await write(30);
    });
    afterEach(() => storage.close());
    afterAll(() => dialect.stop());

    it('reads what is new, and all of it when asked to, and remembers what it found', async () => {
      const here = watch();
      expect(await here.look()).toEqual({ brokenAt: undefined, checked: 30, checkedWholeAt: null });
      await change(ids[3], 'Nothing');
      await write(5);
      // An old entry is not read again by itself.
      expect(await here.look()).toMatchObject({ brokenAt: undefined, checked: 35 });
      const there = watch();
      await there.look();
      expect(await here.lookAtAll()).toEqual({ brokenAt: ids[3], checked: 3, checkedWholeAt: 1000 });
      for (const one of [here, there, watch()]) expect((await one.look()).brokenAt).toBe(ids[3]);
      await change(ids[3], action.message);
      expect(await there.look()).toEqual({ brokenAt: undefined, checked: 35, checkedWholeAt: 1000 });
    });

    it('notices that the newest entries were taken out with the head set back', async () => {
      await watch().look();
      const { hash, seq } = await storage.db
        .selectFrom('admin_audit')
        .select(['hash', 'seq'])
        .where('id', '=', ids[20] ?? '')
        .executeTakeFirstOrThrow();
      await storage.db.deleteFrom('admin_audit').where('seq', '>', seq).execute();
      await setMeta('audit_head', hash);
      expect((await watch().look()).brokenAt).toContain('which was there and is another one or gone');
    });

    it('notices a mark that somebody else wrote, or an older one that was put back', async () => {
      const here = watch();
      await here.look();
      const old = await meta('audit_checked');
      await write(30);
      await here.look();
      expect(await meta('audit_checked')).not.toBe(old);
      await setMeta('audit_checked', old);
      expect(await here.look()).toMatchObject({ checked: 60 });
      await setMeta('audit_checked', 'v1.forged');
      expect((await here.look()).brokenAt).toContain('not ours');
      expect((await here.lookAtAll()).brokenAt).toBeUndefined();
      expect((await here.look()).brokenAt).toBeUndefined();
    });

    it('takes no entry that comes meanwhile for a missing one', async () => {
      const here = watch();
      let writing = true;
      const writer = (async () => {
        for (let turn = 0; turn < 10; turn += 1) await write(20);
        writing = false;
      })();
      while (writing) expect((await here.lookAtAll()).brokenAt).toBeUndefined();
      await writer;
      expect(await here.look()).toMatchObject({ brokenAt: undefined, checked: 230 });
    });
  });
}
