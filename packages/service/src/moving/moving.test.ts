import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { firstBrokenLink } from '../audit/index.ts';
import { keyFile } from '../sealing/index.ts';
import {
  heldMoment,
  migrations,
  openStorage,
  planOf,
  readRows,
  type Storage,
  sqliteFileName,
  tablesToCarry,
} from '../storage/index.ts';
import { mountSmall, postgresDialect } from '../storage/testing/index.ts';
import { batch, counters, securityEvent, startService, type TestService } from '../testing/index.ts';
import { refusal } from '../testing/refusal.ts';
import { moveInstallation, nameOfEnd, parseEnd } from './index.ts';

const dayMs = 86_400_000;
const now = Date.now();

/** Every row of every table as text, by table. */
async function everything(place: { dataDir: string; databaseUrl?: string }): Promise<Map<string, string[]>> {
  const storage = await openStorage({ ...place, asItStands: true });
  const plan = await planOf(migrations);
  try {
    return await heldMoment(storage, async (side) => {
      const all = new Map<string, string[]>();
      for (const table of await tablesToCarry(plan, side)) {
        const rows = [];
        for await (const some of readRows(side.db, side.dialect, table)) rows.push(...some);
        all.set(
          table.name,
          rows.map((row) => JSON.stringify(table.columns.map((column) => row[column]))),
        );
      }
      return all;
    });
  } finally {
    await storage.close();
  }
}

/** What two databases have otherwise, beside the entry in the audit chain that tells of the move. */
function differences(before: Map<string, string[]>, after: Map<string, string[]>): string[] {
  expect([...after.keys()]).toEqual([...before.keys()]);
  const audit = before.get('admin_audit') ?? [];
  expect(after.get('admin_audit')?.slice(0, audit.length)).toEqual(audit);
  expect(after.get('admin_audit')).toHaveLength(audit.length + 1);
  return [...before.keys()].filter(
    (name) => name !== 'admin_audit' && after.get(name)?.join() !== before.get(name)?.join(),
  );
}

/** What an installation has after some days: accounts, configuration, events of several days, figures. */
async function live(service: TestService): Promise<void> {
  const token = await service.signIn();
  const site = { name: 'Käse 🧀', domains: ['shop.example.com'], backend_url: 'http://10.0.0.1' };
  const { body } = await service.call('POST', '/api/sites', site, token);
  await service.call(
    'POST',
    '/api/users',
    { email: 'eve@example.com', role: 'viewer', password: 'Other-horse-8!' },
    token,
  );
  for (const daysAgo of [0, 1, 9]) {
    const events = Array.from({ length: 60 }, (_, n) =>
      securityEvent({
        time: now - daysAgo * dayMs,
        siteId: body.id,
        message: `${'x'.repeat(n * 15)}\u0000\u001b ü 💥 ${n}`,
      }),
    );
    const given = batch({ events, counters: [counters({ siteId: body.id, requests: 7 })] });
    expect(await service.service.controlPlane.accept(given)).toEqual({ delivered: true });
  }
}

const postgres = postgresDialect();
const why = postgres.missing ? ` (${postgres.missing})` : '';

describe.skipIf(postgres.missing !== undefined)(`an installation that moves${why}`, () => {
  let used: string;
  let folder: string;
  let url: string;
  const inFolder = (name: string) => path.join(folder, name);
  const move = (from: string, to: string, more: object = {}) =>
    moveInstallation({
      from: parseEnd(from, inFolder('data')),
      to: parseEnd(to, inFolder('data')),
      dataDir: inFolder('data'),
      dryRun: false,
      whileRunning: false,
      now,
      ...more,
    });
  const embedded = () => cp(used, inFolder('data'), { recursive: true });
  const onTarget = async <T>(work: (storage: Storage) => Promise<T>) => {
    const storage = await openStorage({ dataDir: folder, databaseUrl: url });
    try {
      return await work(storage);
    } finally {
      await storage.close();
    }
  };

  beforeAll(async () => {
    used = await mkdtemp(path.join(tmpdir(), 'portcullis-used-'));
    const service = await startService({ dataDir: used });
    await live(service);
    await service.stop();
  });
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'portcullis-moving-'));
    url = (await postgres.databaseUrl()) ?? '';
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  afterAll(async () => {
    await postgres.stop();
    await rm(used, { recursive: true, force: true });
  });

  it('to PostgreSQL and back is the same row by row, runs at either end, and leaves its source as it was', async () => {
    await embedded();
    const before = await everything({ dataDir: inFolder('data') });
    const file = await readFile(path.join(inFolder('data'), sqliteFileName));
    const heard = new Set<string>();
    const moved = await move('sqlite:', url, {
      onProgress: ({ doing }: { doing: string }) => heard.add(doing),
    });
    expect(file.equals(await readFile(path.join(inFolder('data'), sqliteFileName)))).toBe(true);
    expect(moved.keyFile).toBe(keyFile(inFolder('data')));
    expect([...heard]).toEqual(['copying', 'checking']);
    expect(moved.tables.filter(({ name }) => name.startsWith('events_')).map(({ rows }) => rows)).toEqual([
      60, 60, 60,
    ]);
    const there = await everything({ dataDir: inFolder('data'), databaseUrl: url });
    // The head of the audit chain lies there.
    expect(differences(before, there)).toEqual(['meta']);

    const onPostgres = await startService({ dataDir: inFolder('data'), databaseUrl: url });
    const token = await onPostgres.signIn('eve@example.com', 'Other-horse-8!');
    expect((await onPostgres.call('GET', '/api/auth/me', undefined, token)).body.user.role).toBe('viewer');
    const { body } = await onPostgres.call(
      'GET',
      '/api/audit?limit=100',
      undefined,
      await onPostgres.signIn(),
    );
    expect(JSON.stringify(body)).toContain('The database was moved from SQLite');
    // Counted columns go on where they were, or this batch would meet the numbers of the rows that were moved.
    const more = batch({ events: [securityEvent(), securityEvent({ time: now - dayMs })] });
    expect(await onPostgres.service.controlPlane.accept(more)).toEqual({ delivered: true });
    expect((await refusal(move(url, `sqlite:${inFolder('early')}`))).message).toContain(
      'A service works on this database',
    );
    await onPostgres.stop();

    const changed = await everything({ dataDir: inFolder('data'), databaseUrl: url });
    const back = await move(url, `sqlite:${inFolder('back')}`);
    expect((await stat(back.keyFile)).mode & 0o777).toBe(0o600);
    expect((await readdir(inFolder('back'))).sort()).toEqual([sqliteFileName, 'secrets']);
    expect(differences(changed, await everything({ dataDir: inFolder('back') }))).toEqual(['meta']);
    const home = await startService({ dataDir: inFolder('back') });
    expect((await home.call('GET', '/api/sites', undefined, await home.signIn())).body[0].name).toBe(
      'Käse 🧀',
    );
    const last = batch({ events: [securityEvent()] });
    expect(await home.service.controlPlane.accept(last)).toEqual({ delivered: true });
    await home.stop();
    const ended = await openStorage({ dataDir: inFolder('back'), asItStands: true });
    expect(await firstBrokenLink(ended.read)).toBeUndefined();
    await ended.close();
  });

  it('is looked at and counted by a dry run, which writes nothing', async () => {
    await embedded();
    const { tables } = await move('sqlite:', url, { dryRun: true });
    expect(tables.find(({ name }) => name === 'users')).toEqual({ name: 'users', rows: 2 });
    await onTarget(({ db }) => sql`drop schema public cascade`.execute(db));
    const { message, mend } = await refusal(move('sqlite:', url, { dryRun: true }));
    expect(message).toContain('may not make tables');
    expect(mend).toContain('owner');
    await move('sqlite:', `sqlite:${inFolder('other')}`, { dryRun: true });
    expect(existsSync(inFolder('other'))).toBe(false);
  });

  it('leaves nothing behind where a row does not arrive as it was, and names it', async () => {
    await embedded();
    await onTarget(async ({ db }) => {
      await sql`create function spoil() returns trigger language plpgsql
        as 'begin new.name = upper(new.name); return new; end'`.execute(db);
      await sql`create trigger spoil before insert on sites for each row execute function spoil()`.execute(
        db,
      );
    });
    const { message } = await refusal(move('sqlite:', url));
    expect(message).toMatch(/table sites, row id = site_/);
    await onTarget(async ({ db }) => {
      expect(await db.selectFrom('users').select('id').execute()).toEqual([]);
      const days = await sql`select 1 from pg_tables where tablename like 'events%'`.execute(db);
      expect(days.rows).toEqual([]);
      await sql`drop trigger spoil on sites`.execute(db);
    });
    await move('sqlite:', url);
  });

  it('finds no way into a target that has rows, a newer schema or a file, and changes nothing of it', async () => {
    await embedded();
    await onTarget(({ db }) => db.insertInto('meta').values({ key: 'a', value: '1' }).execute());
    expect((await refusal(move('sqlite:', url))).message).toContain('table meta has rows');
    await onTarget(async ({ db }) => {
      await db.deleteFrom('meta').execute();
      await sql`insert into kysely_migration values ('999-later', '2030')`.execute(db);
    });
    expect((await refusal(move('sqlite:', url))).message).toMatch(
      /^To PostgreSQL test_\d+ at .*newer version/,
    );
    expect((await refusal(move('sqlite:', 'sqlite:'))).message).toContain('There is a database already');
    const other = inFolder('other');
    const service = await startService({ dataDir: other });
    await service.stop();
    await rm(path.join(other, sqliteFileName));
    const key = await readFile(keyFile(other), 'utf8');
    for (const dryRun of [true, false]) {
      const keyed = await refusal(move('sqlite:', `sqlite:${other}`, { dryRun }));
      expect(keyed.message).toContain('a key file of its own');
    }
    expect(await readFile(keyFile(other), 'utf8')).toBe(key);
  });

  it('has a source of this version whose key is at hand, or is told what to do', async () => {
    expect((await refusal(move('sqlite:', url))).message).toMatch(/^From SQLite in .*There is no database/);
    const old = await openStorage({ dataDir: inFolder('data'), migrations: migrations.slice(0, 3) });
    await old.close();
    expect((await refusal(move('sqlite:', url))).mend).toContain('Start this version of Portcullis once');
    await rm(inFolder('data'), { recursive: true });
    await embedded();
    const key = await readFile(keyFile(inFolder('data')));
    await writeFile(keyFile(inFolder('data')), Buffer.alloc(32, 1).toString('base64'));
    expect((await refusal(move('sqlite:', url))).message).toContain('sealed with another key');
    await rm(keyFile(inFolder('data')));
    expect((await refusal(move('sqlite:', url))).message).toContain('cannot be read');
    await writeFile(keyFile(inFolder('data')), key);
    const database = new DatabaseSync(path.join(inFolder('data'), sqliteFileName));
    database.exec("update users set display_name = 'a' || char(0)");
    database.close();
    expect((await refusal(move('sqlite:', url))).message).toMatch(
      /table users .* from id = usr_\w+ to id = usr_\w+ \(/,
    );
  });

  const small = mountSmall(1);
  afterAll(() => small?.unmount());
  it.skipIf(!small)(
    `says of a full disk what is full${small ? '' : ' (no file system can be mounted here)'}, and leaves it as it was`,
    async () => {
      await embedded();
      const to = `sqlite:${small?.dir}/data`;
      const full = await refusal(move('sqlite:', to));
      expect(full.message).toMatch(/^To SQLite in .*The disk that holds .* is full/);
      expect(full.mend).toContain('Free some space');
      await move('sqlite:', url);
      expect((await refusal(move(url, to))).message).toMatch(
        /^To SQLite in .*too full for a copy of the database/,
      );
      expect(await readdir(path.join(small?.dir ?? '', 'data'))).toEqual(['secrets']);
      expect(await readdir(path.join(small?.dir ?? '', 'data', 'secrets'))).toEqual([]);
    },
  );

  it('names the end that cannot be reached, without its password', async () => {
    await embedded();
    const { message, mend } = await refusal(move('sqlite:', 'postgres://u:secret@127.0.0.1:1/none'));
    expect(message).toMatch(/^To PostgreSQL none at 127\.0\.0\.1:1: .*cannot be reached/);
    expect(message).not.toContain('secret');
    expect(mend).toContain('server runs');
    expect(nameOfEnd(parseEnd('postgres://u:secret@db/x', ''))).toBe('PostgreSQL x at db');
    expect(() => parseEnd('mysql://u:secret@db/x', '')).toThrow(/neither/);
  });
});
