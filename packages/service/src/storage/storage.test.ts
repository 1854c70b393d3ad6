import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { StartError } from '../start-error.ts';
import { migrations, type StorageMigration } from './migrations/index.ts';
import { openStorage, sqliteFileName } from './storage.ts';
import { storageErrorKind } from './storage-error.ts';
import { type TestStorage, testDialects } from './testing/index.ts';

const later: StorageMigration = { name: '999-later', up: async () => {} };

for (const dialect of testDialects()) {
  const title = dialect.missing
    ? `storage on ${dialect.name} (${dialect.missing})`
    : `storage on ${dialect.name}`;
  describe.skipIf(dialect.missing !== undefined)(title, () => {
    const opened: TestStorage[] = [];
    const open = async (...given: Parameters<typeof dialect.open>) => {
      const storage = await dialect.open(...given);
      opened.push(storage);
      return storage;
    };
    afterEach(async () => {
      for (const storage of opened.splice(0)) await storage.close();
    });
    afterAll(() => dialect.stop());

    it('shows a reader what was committed, as the numbers that were written', async () => {
      const storage = await open();
      const time = Date.now();
      await storage.db.insertInto('settings').values({ key: 'a', value: '1', updated_at: time }).execute();
      const rows = await storage.read.selectFrom('settings').selectAll().execute();
      expect(rows).toEqual([{ key: 'a', value: '1', updated_at: time }]);
    });

    it('keeps nothing of a transaction that throws', async () => {
      const storage = await open();
      const failing = storage.transaction(async (trx) => {
        await trx.insertInto('meta').values({ key: 'a', value: '1' }).execute();
        throw new Error('changed my mind');
      });
      await expect(failing).rejects.toThrow('changed my mind');
      expect(await storage.read.selectFrom('meta').selectAll().execute()).toEqual([]);
    });

    it('runs transactions that are started at once without losing an update', async () => {
      const storage = await open();
      await storage.db.insertInto('meta').values({ key: 'n', value: '0' }).execute();
      const increment = () =>
        storage.transaction(async (trx) => {
          // The update comes first, so that PostgreSQL holds the row from here on.
          await trx.updateTable('meta').set({ key: 'n' }).where('key', '=', 'n').execute();
          const { value } = await trx
            .selectFrom('meta')
            .select('value')
            .where('key', '=', 'n')
            .executeTakeFirstOrThrow();
          await trx
            .updateTable('meta')
            .set({ value: String(Number(value) + 1) })
            .execute();
        });
      await Promise.all(Array.from({ length: 20 }, increment));
      const row = await storage.read.selectFrom('meta').select('value').executeTakeFirstOrThrow();
      expect(row.value).toBe('20');
    });

    it('reads several moments at once, each of them whole', async () => {
      const storage = await open();
      await storage.db.insertInto('meta').values({ key: 'n', value: '0' }).execute();
      const look = () =>
        storage.moment(async (trx) => {
          const read = () => trx.selectFrom('meta').select('value').executeTakeFirstOrThrow();
          const first = await read();
          await storage.db.updateTable('meta').set({ value: crypto.randomUUID() }).execute();
          return [first, await read()];
        });
      for (const [before, after] of await Promise.all(Array.from({ length: 5 }, look))) {
        expect(after).toEqual(before);
      }
    });

    it('names a broken unique constraint the same way', async () => {
      const storage = await open();
      const insert = () => storage.db.insertInto('meta').values({ key: 'a', value: '1' }).execute();
      await insert();
      const error = await insert().catch((thrown) => thrown);
      expect(storageErrorKind(error)).toBe('unique');
    });

    it('refuses a database from a newer version and says what to do', async () => {
      const storage = await open([...migrations, later]);
      const again = openStorage({ dataDir: storage.dataDir, databaseUrl: storage.databaseUrl });
      await expect(again).rejects.toMatchObject({
        name: 'StartError',
        message: expect.stringContaining('newer version'),
        mend: expect.stringContaining('Start that version'),
      });
    });

    it('leaves nothing of a migration that fails, and names it', async () => {
      const storage = await open();
      const broken: StorageMigration = {
        name: '998-broken',
        async up({ db }) {
          await db.schema.createTable('half').addColumn('a', 'text').execute();
          throw new Error('no more');
        },
      };
      const again = openStorage({
        dataDir: storage.dataDir,
        databaseUrl: storage.databaseUrl,
        migrations: [...migrations, broken],
      });
      await expect(again).rejects.toThrow('998-broken');
      const tables = await storage.db.introspection.getTables();
      expect(tables.map((table) => table.name)).not.toContain('half');
    });
  });
}

describe('an SQLite file', () => {
  const folders: string[] = [];
  const folder = async () => {
    const made = await mkdtemp(path.join(tmpdir(), 'portcullis-data-'));
    folders.push(made);
    return made;
  };
  afterEach(async () => {
    for (const made of folders.splice(0)) await rm(made, { recursive: true, force: true });
  });

  it('is backed up before its schema is brought forward', async () => {
    const dataDir = await folder();
    await (await openStorage({ dataDir })).close();
    await (await openStorage({ dataDir, migrations: [...migrations, later] })).close();
    const backups = await readdir(path.join(dataDir, 'backups'));
    expect(backups).toEqual([expect.stringMatching(/^before-migration-.+\.sqlite$/)]);
  });

  it('is left with the last backup alone by starts that fail one after the other, or are killed', async () => {
    const dataDir = await folder();
    await (await openStorage({ dataDir })).close();
    const broken: StorageMigration = {
      name: '999-broken',
      up: async () => Promise.reject(new Error('no more')),
    };
    const again = () => openStorage({ dataDir, migrations: [...migrations, broken] });
    await expect(again()).rejects.toThrow('999-broken');
    const killed = path.join(dataDir, 'backups', 'before-migration-070-1.sqlite.partial');
    await writeFile(killed, 'half of it');
    await expect(again()).rejects.toThrow('999-broken');
    const backups = await readdir(path.join(dataDir, 'backups'));
    expect(backups).toEqual([expect.stringMatching(/^before-migration-.+\.sqlite$/)]);
  });

  it('that is damaged is refused with the way back', async () => {
    const dataDir = await folder();
    await writeFile(
      path.join(dataDir, sqliteFileName),
      'this is no database, and was longer than a header '.repeat(90),
    );
    const error = await openStorage({ dataDir }).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(StartError);
    expect(error.message).toContain('is damaged');
    expect(error.mend).toContain('portcullis restore');
  });

  it('is made for its user alone, in a folder that everybody may look into too', async () => {
    const dataDir = await folder();
    await chmod(dataDir, 0o755);
    const storage = await openStorage({ dataDir });
    const files = (await readdir(dataDir)).filter((name) => name.startsWith(sqliteFileName));
    const modes = await Promise.all(
      files.map(async (name) => (await stat(path.join(dataDir, name))).mode & 0o777),
    );
    await storage.close();
    expect(files).toContain(`${sqliteFileName}-wal`);
    expect(new Set(modes)).toEqual(new Set([0o600]));
  });

  it('in a folder that cannot be made is refused with the setting to change', async () => {
    const dataDir = path.join(await folder(), 'file');
    await writeFile(dataDir, '');
    const error = await openStorage({ dataDir }).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(StartError);
    expect(error.mend).toContain('PORTCULLIS_DATA_DIR');
  });
});

describe('a PostgreSQL that is not there', () => {
  it('is named with its address and the setting', async () => {
    const dataDir = tmpdir();
    const error = await openStorage({ dataDir, databaseUrl: 'postgres://u@127.0.0.1:1/none' }).catch(
      (e) => e,
    );
    expect(error).toBeInstanceOf(StartError);
    expect(error.message).toContain('127.0.0.1:1 cannot be reached');
    expect(error.mend).toContain('PORTCULLIS_DATABASE_URL');
  });
});
