import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Kysely, sql } from 'kysely';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dayOf } from '../../events/days.ts';
import { rowFilter, searchEvents } from '../../events/index.ts';
import { insertRows } from '../../events/insert-rows.ts';
import { rowOf } from '../../events/repository.ts';
import { securityEvent } from '../../testing/index.ts';
import type { Storage } from '../connect.ts';
import { createDayTable } from '../day-tables.ts';
import { openStorage } from '../storage.ts';
import { testDialects } from '../testing/index.ts';
import { migrations, type StorageMigration } from './index.ts';

/** Every table with its columns, types and defaults, in an order that does not depend on how they came. */
async function schemaOf({ db }: Storage) {
  const tables = await db.introspection.getTables();
  return tables
    .map(({ name, columns }) => ({
      name,
      columns: columns
        .map((column) => [column.name, column.dataType, column.isNullable, column.hasDefaultValue])
        .sort((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1)),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

type Columns = ReadonlyMap<string, Awaited<ReturnType<typeof describeColumns>>[number]>;

/** Each column of each table, by both their names. */
const columnsOf = async (db: Kysely<unknown>): Promise<Columns> =>
  new Map((await describeColumns(db)).map((column) => [column.name, column]));

async function describeColumns(db: Kysely<unknown>) {
  const tables = await db.introspection.getTables();
  return tables.flatMap(({ name: table, columns }) =>
    columns.map(({ name, dataType, isNullable, hasDefaultValue }) => ({
      ...{ table, name: `${table}.${name}`, dataType, isNullable },
      // also where a row is written that does not name it
      isFilled: isNullable || hasDefaultValue,
    })),
  );
}

const migrating = path.join(import.meta.dirname, '..', 'testing', 'migrating.ts');
const now = 1_790_000_000_000;

/** What an installation of any schema has: somebody, and a site. */
async function fill({ db }: Storage): Promise<void> {
  const user = { id: 'usr_1', email: 'ada@example.com', role: 'admin', password_hash: 'none' };
  const never = { totp_secret: null, totp_pending: null, totp_last_step: null, last_login_at: null };
  await db
    .insertInto('users')
    .values({ ...user, ...never, created_at: now, updated_at: now })
    .execute();
  const site = { id: 'site_1', name: 'Shop', config: '{}', version: 3, updated_by: 'ada@example.com' };
  await db
    .insertInto('sites')
    .values({ ...site, created_at: now, updated_at: now })
    .execute();
}

/** What it has besides, by table: a schema from before one of them has none of it. */
const rowsOf: Readonly<Record<string, Record<string, string | number | null>>> = {
  config_versions: {
    ...{ version: 7, created_at: now, actor: 'ada@example.com', reason: 'Shop was added' },
    changes: JSON.stringify([{ kind: 'site', id: 'site_1', name: 'Shop', before: null, after: {} }]),
  },
  config_objects: {
    ...{ id: 'list_1', kind: 'address_list', parent_id: null, version: 2, updated_by: 'ada@example.com' },
    config: JSON.stringify({ name: 'Feed', action: 'block', entries: ['192.0.2.1', '2001:db8::/32'] }),
    ...{ created_at: now, updated_at: now },
  },
  notifications: {
    ...{ id: 'ntf_1', time: now, event: 'site_down', channel: 'email', topic: 'site:site_1', status: 'held' },
    ...{ subject: 'Käse 🦊 is down', lines: '["No upstream answers"]', occurrences: 3, attempts: 0 },
    ...{ next_at: null, summary_id: null, error: null },
  },
  alerts: {
    ...{ id: 'alert_1', key: 'site:site_1', type: 'critical', message: 'Shop: it is down' },
    ...{ site_id: 'site_1', started_at: now, ended_at: null },
  },
};

/** @returns the tables that took their row */
async function fillFurther({ db }: Storage): Promise<string[]> {
  const there = new Set((await db.introspection.getTables()).map(({ name }) => name));
  const tables = Object.keys(rowsOf).filter((name) => there.has(name));
  for (const table of tables) {
    const row = rowsOf[table] ?? {};
    const columns = Object.keys(row).map((name) => sql.ref(name));
    const values = Object.values(row);
    await sql`insert into ${sql.table(table)} (${sql.join(columns)}) values (${sql.join(values)})`.execute(
      db,
    );
  }
  return tables;
}

for (const dialect of testDialects()) {
  const title = `a database on ${dialect.name}${dialect.missing ? ` (${dialect.missing})` : ''}`;
  describe.skipIf(dialect.missing !== undefined)(title, () => {
    let dataDir: string;
    let databaseUrl: string | undefined;
    beforeEach(async () => {
      dataDir = await mkdtemp(path.join(tmpdir(), 'portcullis-migrations-'));
      databaseUrl = await dialect.databaseUrl();
    });
    afterEach(() => rm(dataDir, { recursive: true, force: true }));
    afterAll(() => dialect.stop());

    const steps = migrations.slice(0, -1).map(({ name }, index) => [name, index + 1] as const);

    it.each(steps)(
      'of schema %s comes to the present one, whole and backed up before',
      async (name, count) => {
        const old = await openStorage({ dataDir, databaseUrl, migrations: migrations.slice(0, count) });
        await fill(old);
        const tables = await fillFurther(old);
        expect(tables).toContain('config_versions');
        await old.close();
        const refused = openStorage({ dataDir, databaseUrl, asItStands: true });
        await expect(refused).rejects.toThrow("The database has an earlier version's schema");
        const storage = await openStorage({ dataDir, databaseUrl });
        const fresh = await dialect.open();
        expect(await schemaOf(storage)).toEqual(await schemaOf(fresh));
        expect(await storage.read.selectFrom('users').select(['email', 'created_at']).execute()).toEqual([
          { email: 'ada@example.com', created_at: now },
        ]);
        expect(await storage.read.selectFrom('sites').select(['name', 'version']).execute()).toEqual([
          { name: 'Shop', version: 3 },
        ]);
        for (const table of tables) {
          const { rows } = await sql`select * from ${sql.table(table)}`.execute(storage.read);
          expect([table, rows]).toMatchObject([table, [rowsOf[table]]]);
        }
        await Promise.all([storage.close(), fresh.close()]);
        expect(await stepsInBackup(dataDir)).toEqual([count, name]);
      },
    );

    // A service of the version before goes on while the next one brings the schema forward: docs/guide/many-machines.md.
    it('keeps with each step all that a service of before reads, and takes all that it writes', async () => {
      let before: Columns = new Map();
      let compared = 0;
      const watched = migrations.map(
        ({ name: step, up }): StorageMigration => ({
          name: step,
          async up(context) {
            await up(context);
            const after = await columnsOf(context.db);
            for (const [column, was] of before)
              expect([step, column, after.get(column)]).toEqual([step, column, was]);
            const tables = new Set([...before.values()].map(({ table }) => table));
            const added = [...after.values()].filter(
              ({ name, table }) => tables.has(table) && !before.has(name),
            );
            for (const { name, isFilled } of added)
              expect([step, name, isFilled]).toEqual([step, name, true]);
            compared += before.size;
            before = after;
          },
        }),
      );
      await (await openStorage({ dataDir, databaseUrl, migrations: watched })).close();
      expect(compared).toBeGreaterThan(1000);
    });

    it('killed within a step is as it was before, and the next start goes on', async () => {
      const step = migrations.at(-1)?.name ?? '';
      const old = await openStorage({ dataDir, databaseUrl, migrations: migrations.slice(0, 1) });
      await fill(old);
      const before = await schemaOf(old);
      await old.close();
      const args = [migrating, dataDir, step, ...(databaseUrl === undefined ? [] : [databaseUrl])];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
      expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
      const left = await openStorage({ dataDir, databaseUrl, migrations: migrations.slice(0, 1) });
      expect(await schemaOf(left)).toEqual(before);
      await left.close();
      const storage = await openStorage({ dataDir, databaseUrl });
      const fresh = await dialect.open();
      expect(await schemaOf(storage)).toEqual(await schemaOf(fresh));
      expect(await storage.read.selectFrom('sites').select(['name', 'version']).execute()).toEqual([
        { name: 'Shop', version: 3 },
      ]);
      await Promise.all([storage.close(), fresh.close()]);
      expect(await stepsInBackup(dataDir)).toEqual([1, migrations[0]?.name]);
    });

    it('loses the certificates and challenges of sites that are gone, and no others', async () => {
      const before = migrations.findIndex(({ name }) => name === '090-orphaned-certificates');
      const old = await openStorage({ dataDir, databaseUrl, migrations: migrations.slice(0, before) });
      await fill(old);
      const saved = { config: '{}', version: 1, created_at: now, updated_at: now, updated_by: '' };
      const parts = [
        ['cert_1', 'certificate', 'site_1'],
        ['cert_2', 'certificate', 'site_gone'],
        ['chal_1', 'acme_challenge', 'site_1'],
        ['chal_2', 'acme_challenge', 'site_gone'],
        ['list_1', 'address_list', null],
      ] as const;
      const rows = parts.map(([id, kind, parent_id]) => ({ id, kind, parent_id, ...saved }));
      await old.db.insertInto('config_objects').values(rows).execute();
      await old.close();
      const storage = await openStorage({ dataDir, databaseUrl });
      const left = await storage.read.selectFrom('config_objects').select('id').orderBy('id').execute();
      expect(left.map(({ id }) => id)).toEqual(['cert_1', 'chal_1', 'list_1']);
      await storage.close();
    });

    it('of days whose events had an index a column comes to one by class, with every event in it', async () => {
      const before = migrations.findIndex(({ name }) => name === '060-event-classes');
      const steps = migrations.slice(0, before);
      const old = await openStorage({ dataDir, databaseUrl, migrations: steps });
      const day = dayOf(now);
      const table = `events_${day}`;
      await createDayTable(old.db as unknown as Kysely<unknown>, day, dialect.name);
      await sql`create index ${sql.ref(`${table}_level`)} on ${sql.table(table)} (level, time, seq)`.execute(
        old.db,
      );
      const event = securityEvent({ time: now, level: 'warning' });
      await old.db.insertInto('event_days').values({ day, entries: 1, bytes: 1 }).execute();
      await old.transaction((trx) => insertRows(trx, table, [rowOf(event)], dialect.name));
      await old.close();
      const storage = await openStorage({ dataDir, databaseUrl });
      const found = (level: string[]) =>
        searchEvents({ read: storage.read, dialect: dialect.name, filter: rowFilter({ level }), limit: 9 });
      expect((await found(['warning'])).events).toEqual([event]);
      expect((await found(['error'])).events).toEqual([]);
      await expect(
        sql`drop index ${sql.ref(`${table}_level`)}`.execute(storage.db),
        'the index of the column is gone',
      ).rejects.toThrow();
      await storage.close();
    });
  });
}

/** How many steps the one backup has, and the last of them. It opens by itself and holds the data. */
async function stepsInBackup(dataDir: string): Promise<[number, string | undefined]> {
  const folder = path.join(dataDir, 'backups');
  const [file = '', ...others] = await readdir(folder);
  expect(others).toEqual([]);
  const backup = new DatabaseSync(path.join(folder, file), { readOnly: true });
  try {
    expect(backup.prepare('select email from users').all()).toEqual([{ email: 'ada@example.com' }]);
    const names = backup.prepare('select name from kysely_migration order by name').all();
    return [names.length, String(names.at(-1)?.['name'])];
  } finally {
    backup.close();
  }
}
