import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { inSteps } from '../steps.ts';
import { type TestStorage, testDialects } from '../storage/testing/index.ts';
import { setAside, withAside } from './aside.ts';
import { findVersion, readChanges, readVersionDetail } from './history.ts';
import { condensed, stateBefore } from './kept-change.ts';
import { newObject, nextVersion, ObjectStore } from './objects.ts';
import { inPieces, sameValue } from './pieces.ts';
import { ensureVersion, recordVersion, takeNextVersion } from './repository.ts';
import { pruneHistory } from './retention.ts';

const author = { email: 'ada@example.com', ip: '' };
const now = 1_790_000_000_000;
const Feed = z.object({ name: z.string(), entries: z.array(z.string().max(20)) });
const newStore = () => new ObjectStore('address_list', Feed, ['entries']);
const addresses = (length: number) =>
  Array.from({ length }, (_, n) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);
const idsOf = async (list: readonly string[]) => (await inSteps(inPieces(list))).pieces.map(([id]) => id);

describe('a long list in pieces', () => {
  it('has other pieces only where entries came or went', async () => {
    const list = addresses(50_000);
    const known = new Set(await idsOf(list));
    expect(known.size).toBeGreaterThan(20);
    await fc.assert(
      fc.asyncProperty(fc.nat(50_000), fc.nat(3), async (at, gone) => {
        const ids = await idsOf(list.toSpliced(at, gone, 'new'));
        expect(ids.filter((id) => !known.has(id)).length).toBeLessThanOrEqual(3);
      }),
      { numRuns: 20 },
    );
  });

  it('is as long as it was, in pieces that are neither tiny nor huge, whatever its entries are', async () => {
    for (const list of [addresses(20_000), Array<string>(20_000).fill('10.0.0.1')]) {
      const lengths = (await inSteps(inPieces(list))).pieces.map(([, length]) => length);
      expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(list.length);
      expect(Math.max(...lengths)).toBeLessThanOrEqual(4096);
      expect(Math.min(...lengths.slice(0, -1))).toBeGreaterThanOrEqual(256);
    }
  });

  it('is compared with another by what would be stored', async () => {
    const same = (a: object, b: object) => inSteps(sameValue(a, b));
    expect(await same({ a: addresses(300), b: undefined }, { a: addresses(300) })).toBe(true);
    expect(await same({ a: addresses(300) }, { a: addresses(299).concat('x') })).toBe(false);
    expect(await same({ a: addresses(300) }, { a: ['x'] })).toBe(false);
    expect(await same({ a: 1 }, {})).toBe(false);
  });
});

for (const dialect of testDialects()) {
  const why = dialect.missing ? ` (${dialect.missing})` : '';
  describe.skipIf(dialect.missing !== undefined)(`long lists on ${dialect.name}${why}`, () => {
    let storage: TestStorage;
    const rows = () => storage.read.selectFrom('config_pieces').select(['owner', 'id']).execute();
    const saved = (store = newStore(), value = { name: 'Feed', entries: addresses(20_000) }) => {
      const object = newObject('list_1', null, value, author, now);
      return storage.transaction((trx) => store.save(trx, object)).then(() => object);
    };

    beforeEach(async () => {
      storage = await dialect.open();
    });
    afterEach(() => storage.close());
    afterAll(() => dialect.stop());

    it('are written anew only where they changed, and read by another service as they were saved', async () => {
      const [here, there] = [newStore(), newStore()];
      const object = await saved(here);
      expect(await there.list(storage.read)).toEqual([object]);
      const before = new Set((await rows()).map(({ id }) => id));
      const entries = object.value.entries.toSpliced(9000, 2, '192.0.2.1', '192.0.2.2', '192.0.2.3');
      const next = nextVersion(object, { name: 'Feed', entries }, author, now);
      await storage.transaction((trx) => here.save(trx, next));
      const fresh = (await rows()).filter(({ id }) => !before.has(id));
      expect(fresh.length).toBeGreaterThan(0);
      expect(fresh.length).toBeLessThanOrEqual(3);
      for (const store of [here, there, newStore()])
        expect(await store.find(storage.read, 'list_1')).toEqual(next);
    });

    it('are read as they stand where the schema takes entries for fewer than were stored', async () => {
      const Fewer = Feed.extend({
        entries: Feed.shape.entries.transform((all) => all.filter((one) => one !== '10.0.0.1')),
      });
      const [writer, reader] = [newStore(), new ObjectStore('address_list', Fewer, ['entries'])];
      const object = await saved(writer);
      await reader.find(storage.read, 'list_1');
      const entries = [...object.value.entries, '192.0.2.1'];
      const next = nextVersion(object, { name: 'Feed', entries }, author, now);
      await storage.transaction((trx) => writer.save(trx, next));
      const read = await reader.find(storage.read, 'list_1');
      expect(read?.value.entries).toEqual(entries.filter((one) => one !== '10.0.0.1'));
    });

    it('leave nothing behind when they become short, are taken back or deleted', async () => {
      const store = newStore();
      const object = await saved(store);
      const count = (await rows()).length;
      const short = nextVersion(object, { name: 'Feed', entries: ['192.0.2.1'] }, author, now);
      const taken = storage.transaction(async (trx) => {
        await store.save(trx, short);
        throw new Error('taken back');
      });
      await expect(taken).rejects.toThrow('taken back');
      expect(await rows()).toHaveLength(count);
      expect(await store.find(storage.read, 'list_1')).toEqual(object);
      await storage.transaction((trx) => store.save(trx, short));
      expect([await rows(), await newStore().find(storage.read, 'list_1')]).toEqual([[], short]);
      await saved(store);
      await storage.transaction((trx) => store.remove(trx, 'list_1'));
      expect([await rows(), await store.list(storage.read)]).toEqual([[], []]);
    });

    it('of an earlier version, whole in their object, are read and put in pieces by the next save', async () => {
      const object = await saved();
      await storage.db.deleteFrom('config_pieces').execute();
      await storage.db
        .updateTable('config_objects')
        .set({ config: JSON.stringify(object.value) })
        .execute();
      const store = newStore();
      expect(await store.find(storage.read, 'list_1')).toEqual(object);
      await storage.transaction((trx) => store.save(trx, object));
      expect((await rows()).length).toBeGreaterThan(1);
      expect(await newStore().find(storage.read, 'list_1')).toEqual(object);
    });

    it('that lost a piece, or hold one that is none, are not taken for shorter ones', async () => {
      await saved();
      const [one] = await rows();
      const id = one?.id ?? '';
      const entries = JSON.stringify(['an entry that is too long to be one']);
      await storage.db.updateTable('config_pieces').set({ entries }).where('id', '=', id).execute();
      await expect(newStore().list(storage.read)).rejects.toThrow('Too big');
      await storage.db.deleteFrom('config_pieces').where('id', '=', id).execute();
      await expect(newStore().list(storage.read)).rejects.toThrow('lacks parts of its lists');
    });

    it('that are deleted stay with the version that did it, for as long as that is kept', async () => {
      const before = await saved();
      const gone = { kind: 'address_list', id: 'list_1', name: 'Feed', before, after: null };
      await storage.transaction(async (trx) => {
        await newStore().remove(trx, 'list_1');
        const kept = await setAside(trx, 2, gone);
        expect(JSON.stringify(kept).length).toBeLessThan(2000);
        expect(await withAside(trx, 2, JSON.parse(JSON.stringify(kept)))).toEqual(gone);
        await recordVersion(trx, 2, { reason: 'deleted', changes: [kept] }, author, now);
        await recordVersion(trx, 3, { reason: 'nothing', changes: [] }, author, now);
      });
      expect(new Set((await rows()).map(({ owner }) => owner))).toEqual(new Set(['version 2']));
      await pruneHistory(storage, { days: 1, versions: 1 }, now + 2 * 86_400_000);
      expect(await rows()).toEqual([]);
    });

    it('of which much changed keep what went beside their version, for as long as that is kept', async () => {
      const before = await saved();
      const lists = [
        addresses(40_000).slice(20_000),
        addresses(20_000).map((entry, n) => (n % 3 === 0 ? `1${entry}` : entry)),
        addresses(20_000).filter((_, n) => n % 2 === 0),
      ];
      for (const [index, entries] of lists.entries()) {
        const after = { ...before, value: { ...before.value, entries } };
        const change = { kind: 'address_list', id: 'list_1', name: 'Feed', before, after };
        const version = index + 2;
        await storage.transaction(async (trx) => {
          const changes = [await condensed(change)];
          await recordVersion(trx, version, { reason: 'fed', changes }, author, now);
        });
        const row = await findVersion(storage.read, version);
        // The first thousand of what came are told with it.
        expect(row?.changes.length).toBeLessThan(25_000);
        const [kept] = row ? await readChanges(storage.read, row) : [];
        expect(kept).toEqual(await condensed(change));
        expect(kept && (await stateBefore(kept, after))).toEqual(before);
      }
      await storage.transaction((trx) => newStore().remove(trx, 'list_1'));
      expect(new Set((await rows()).map(({ owner }) => owner)).size).toBe(3);
      await storage.transaction((trx) =>
        recordVersion(trx, 5, { reason: 'nothing', changes: [] }, author, now),
      );
      await pruneHistory(storage, { days: 1, versions: 1 }, now + 2 * 86_400_000);
      expect(await rows()).toEqual([]);
    });

    it('that an earlier release deleted or dropped without them go, and no others', async () => {
      const before = await saved();
      const gone = { kind: 'address_list', id: 'list_1', name: 'Feed', before, after: null };
      await storage.transaction(async (trx) => {
        for (const version of [2, 3]) {
          const changes = [await setAside(trx, version, gone)];
          await recordVersion(trx, version, { reason: 'deleted', changes }, author, now);
        }
        await newStore().save(trx, { ...before, id: 'list_2' });
        await trx.deleteFrom('config_versions').where('version', '=', 2).execute();
        await trx.deleteFrom('config_objects').where('id', '=', 'list_1').execute();
      });
      expect(await pruneHistory(storage, { days: 1, versions: 9 }, now)).toBe(0);
      expect(new Set((await rows()).map(({ owner }) => owner))).toEqual(new Set(['list_2', 'version 3']));
    });

    // SQLite has one writer, whom nothing of it can interleave with.
    const interleaved = it.skipIf(dialect.name !== 'postgres');
    const lockIsAwaited = async () =>
      (
        await sql`select 1 from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(storage.read)
      ).rows.length > 0;

    interleaved('are read whole by who began before their version was dropped', async () => {
      const before = await saved();
      const gone = { kind: 'address_list', id: 'list_1', name: 'Feed', before, after: null };
      await storage.transaction(async (trx) => {
        const changes = [await setAside(trx, 2, gone)];
        await recordVersion(trx, 2, { reason: 'deleted', changes }, author, now);
      });
      const read = await storage.transaction(async (trx) => {
        await sql`lock table config_pieces`.execute(trx);
        const reading = readVersionDetail(storage, 2);
        await expect.poll(lockIsAwaited, { timeout: 60_000 }).toBe(true);
        await trx.deleteFrom('config_versions').execute();
        await trx.deleteFrom('config_pieces').execute();
        // Not awaited in here: it goes on once this is committed.
        return () => reading;
      });
      expect(await read()).toMatchObject({ version: 2, changes: [{ name: 'Feed', change: 'deleted' }] });
      expect(await readVersionDetail(storage, 2)).toBeUndefined();
    });

    interleaved('stay, with their versions, while a change of the configuration reads them', async () => {
      await ensureVersion(storage.db);
      await storage.transaction(async (trx) => {
        for (const version of [2, 3])
          await recordVersion(trx, version, { reason: 'nothing', changes: [] }, author, now);
      });
      const pruned = await storage.transaction(async (trx) => {
        await takeNextVersion(trx);
        let done = false;
        const pruning = pruneHistory(storage, { days: 1, versions: 1 }, now + 2 * 86_400_000).finally(() => {
          done = true;
        });
        await expect.poll(async () => done || (await lockIsAwaited()), { timeout: 60_000 }).toBe(true);
        expect(await findVersion(trx, 2)).toBeDefined();
        return () => pruning;
      });
      expect(await pruned()).toBe(1);
    });
  });
}
