import { GeneralSettings, SecuritySettings } from '@portcullis/contract/settings';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAuditLog, firstBrokenLink, newestRecords } from '../audit/index.ts';
import { failure, success } from '../outcome.ts';
import { type TestStorage, testDialects } from '../storage/testing/index.ts';
import { type Configuration, createConfiguration } from './index.ts';

const author = { email: 'ada@example.com', ip: '192.0.2.1' };

for (const dialect of testDialects()) {
  const title = `the configuration on ${dialect.name}${dialect.missing ? ` (${dialect.missing})` : ''}`;
  describe.skipIf(dialect.missing !== undefined)(title, () => {
    let storage: TestStorage;
    let configuration: Configuration;
    const published: number[] = [];
    const open = async () => {
      const audit = createAuditLog(storage, () => 1000);
      const readParts = async () => ({
        sites: [],
        general: GeneralSettings.parse({}),
        security: SecuritySettings.parse({}),
        addressLists: [],
        certificates: [],
        acmeChallenges: [],
        secrets: { challengeKeys: [] },
      });
      configuration = createConfiguration({ storage, audit, now: () => 1000, readParts });
      await configuration.start();
      configuration.subscribe((snapshot) => published.push(snapshot.version));
    };
    beforeEach(async () => {
      storage = await dialect.open();
      published.length = 0;
      await open();
    });
    afterEach(() => storage.close());
    afterAll(() => dialect.stop());

    const put = (key: string) =>
      configuration.change(author, async (trx) => {
        await trx.insertInto('settings').values({ key, value: '1', updated_at: 0 }).execute();
        const changes = [{ kind: 'settings', id: key, name: key, before: null, after: 1 }];
        return success({ value: key, action: 'settings.general', reason: `${key} was set`, changes });
      });

    it('stores a change with its version, history and audit entry, and publishes it', async () => {
      expect(await put('a')).toEqual({ ok: true, value: 'a' });
      expect([configuration.current().version, published]).toEqual([2, [2]]);
      const history = await storage.read.selectFrom('config_versions').selectAll().execute();
      expect(history).toMatchObject([{ version: 2, actor: author.email, reason: 'a was set' }]);
      expect(await newestRecords(storage.read, { limit: 9 })).toMatchObject([
        { action: 'settings.general', actor: author.email, target: 'a' },
      ]);
      await open();
      expect(configuration.current().version).toBe(2);
    });

    it('leaves nothing of a change that is refused or that throws', async () => {
      const refused = await configuration.change(author, async (trx) => {
        await trx.insertInto('settings').values({ key: 'x', value: '1', updated_at: 0 }).execute();
        return failure('conflict');
      });
      expect(refused).toEqual({ ok: false, code: 'conflict' });
      const thrown = configuration.change(author, async (trx) => {
        await trx.insertInto('settings').values({ key: 'y', value: '1', updated_at: 0 }).execute();
        throw new Error('bug');
      });
      await expect(thrown).rejects.toThrow('bug');
      expect(await storage.read.selectFrom('settings').selectAll().execute()).toEqual([]);
      expect([configuration.current().version, published]).toEqual([1, []]);
    });

    it('gives changes that are made at once a version each', async () => {
      await Promise.all(['a', 'b', 'c', 'd', 'e'].map(put));
      expect(configuration.current().version).toBe(6);
      expect(await firstBrokenLink(storage.read)).toBeUndefined();
    });

    it('shows where the audit chain was changed or cut', async () => {
      for (const key of ['a', 'b', 'c']) await put(key);
      const [newest, middle] = await newestRecords(storage.read, { limit: 3 });
      const change = (id: string | undefined, actor: string) =>
        storage.db
          .updateTable('admin_audit')
          .set({ actor })
          .where('id', '=', id ?? '')
          .execute();
      await change(middle?.id, 'eve@example.com');
      expect(await firstBrokenLink(storage.read)).toBe(middle?.id);
      await change(middle?.id, author.email);
      expect(await firstBrokenLink(storage.read)).toBeUndefined();
      await storage.db
        .deleteFrom('admin_audit')
        .where('id', '=', newest?.id ?? '')
        .execute();
      expect(await firstBrokenLink(storage.read)).toContain('missing');
    });
  });
}
