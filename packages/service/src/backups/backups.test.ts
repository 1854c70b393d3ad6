import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mountSmall, postgresDialect } from '../storage/testing/index.ts';
import { startService, type TestService } from '../testing/index.ts';
import { refusal } from '../testing/refusal.ts';
import { backUp, restoreBackup } from './index.ts';

const now = Date.UTC(2026, 0, 2, 3, 4, 5, 6);
const site = (name: string) => ({
  name,
  domains: [`${name}.example.com`],
  backend_url: 'http://127.0.0.1:3000',
});

const postgres = postgresDialect();

describe('a backup', () => {
  afterAll(() => postgres.stop());
  let folder: string;
  let dataDir: string;
  const running: TestService[] = [];
  const start = async (options: Parameters<typeof startService>[0] = {}) => {
    const service = await startService({ dataDir, ...options });
    running.push(service);
    return service;
  };
  const stop = async () => {
    for (const service of running.splice(0)) await service.stop();
  };
  const siteNames = async ({ call, signIn }: TestService) => {
    const { body } = await call('GET', '/api/sites', undefined, await signIn());
    return body.map(({ name }: { name: string }) => name);
  };
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'portcullis-backup-'));
    dataDir = path.join(folder, 'data');
  });
  afterEach(async () => {
    await stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('that was put in place by hand can be gone back to once it was written to', async () => {
    await start();
    const file = path.join(folder, 'first.sqlite');
    await backUp({ dataDir }, { file, withKeys: false, now });
    await stop();
    await copyFile(file, path.join(dataDir, 'portcullis.sqlite'));
    const second = await start();
    await second.call('POST', '/api/sites', site('later'), await second.signIn());
    await stop();
    const { replaced = '' } = await restoreBackup({ dataDir }, { file, withKeys: false, now });
    await restoreBackup({ dataDir }, { file: replaced, withKeys: false, now: now + 1000 });
    expect(await siteNames(await start())).toEqual(['later']);
  });

  it('of a running service brings its configuration back, ends its sessions, and keeps what it replaced', async () => {
    const service = await start();
    const token = await service.signIn();
    await service.call('POST', '/api/sites', site('before'), token);
    const { file, bytes, keyCopy } = await backUp({ dataDir }, { withKeys: false, now });
    expect(file).toBe(path.join(dataDir, 'backups', 'portcullis-20260102T030405006Z.sqlite'));
    expect(keyCopy).toBeUndefined();
    const { size, mode } = await stat(file);
    expect([bytes, mode & 0o777]).toEqual([size, 0o600]);
    await service.call('POST', '/api/sites', site('after'), token);
    await stop();

    const restored = await restoreBackup({ dataDir }, { file, withKeys: false, now });
    expect(restored.notices).toEqual([]);
    const again = await start();
    expect((await again.call('GET', '/api/auth/me', undefined, token)).status).toBe(401);
    expect(await siteNames(again)).toEqual(['before']);
    const kept = new DatabaseSync(restored.replaced ?? '', { readOnly: true });
    expect(kept.prepare('select name from sites order by created_at').all()).toHaveLength(2);
    kept.close();
    expect(await readdir(dataDir)).not.toContain('restoring');
  });

  it('with its key moves to another folder, and without it is refused there', async () => {
    const service = await start();
    await service.call('POST', '/api/sites', site('moved'), await service.signIn());
    const file = path.join(folder, 'copy.sqlite');
    const { keyCopy } = await backUp({ dataDir }, { file, withKeys: true, now });
    expect((await stat(keyCopy ?? '')).mode & 0o777).toBe(0o600);
    await stop();

    const place = { dataDir: path.join(folder, 'other') };
    const keyless = await refusal(restoreBackup(place, { file, withKeys: false, now }));
    expect(keyless.message).toContain('key file');
    expect(keyless.mend).toContain('--with-keys');
    const restored = await restoreBackup(place, { file, withKeys: true, now });
    expect(restored).toEqual({ replaced: undefined, replacedKey: undefined, notices: [] });
    expect(await siteNames(await start(place))).toEqual(['moved']);
  });

  it('that another key sealed changes nothing, until it brings its own', async () => {
    await start();
    const file = path.join(folder, 'copy.sqlite');
    await backUp({ dataDir }, { file, withKeys: true, now });
    await stop();
    const other = path.join(folder, 'other');
    await start({ dataDir: other });
    await stop();
    const key = path.join(other, 'secrets', 'master.key');
    const before = await readFile(key, 'utf8');

    const options = { file, withKeys: false, now };
    const error = await refusal(restoreBackup({ dataDir: other }, options));
    expect(error.message).toContain('sealed with another key');
    expect(await readdir(path.join(other, 'backups')).catch(() => [])).toEqual([]);
    const { replacedKey } = await restoreBackup({ dataDir: other }, { ...options, withKeys: true });
    expect(await readFile(replacedKey ?? '', 'utf8')).toBe(before);
    expect(await readFile(key, 'utf8')).not.toBe(before);
    await start({ dataDir: other });
  });

  it('that is damaged, foreign, empty, missing or newer is refused, and the database stays', async () => {
    await start();
    const { file } = await backUp({ dataDir }, { withKeys: false, now });
    await stop();
    const database = path.join(dataDir, 'portcullis.sqlite');
    const before = await readFile(database);
    const inFolder = (name: string) => path.join(folder, name);
    const bytes = await readFile(file);
    await writeFile(inFolder('damaged'), bytes.fill(0x55, 8192, 65_536));
    await writeFile(inFolder('text'), 'no database '.repeat(999));
    await writeFile(inFolder('empty'), '');
    const foreign = new DatabaseSync(inFolder('foreign'));
    foreign.exec('create table other (a)');
    foreign.close();
    const newer = new DatabaseSync(file);
    newer.exec("insert into kysely_migration values ('999-later', '2030'); pragma application_id = 0");
    newer.close();
    const refused = [
      [inFolder('damaged'), /cannot be restored/],
      [inFolder('text'), /not a database/],
      [inFolder('empty'), /no database of Portcullis/],
      [inFolder('foreign'), /no database of Portcullis/],
      [inFolder('missing'), /There is no file/],
      [database, /the database itself/],
      [file, /newer version/],
    ] as const;
    for (const [name, reason] of refused) {
      const { message } = await refusal(restoreBackup({ dataDir }, { file: name, withKeys: false, now }));
      expect(message).toMatch(reason);
    }
    expect(before.equals(await readFile(database))).toBe(true);
  });

  it('in which a bad disk turned one letter of a stored value is refused, until its checksum is taken off', async () => {
    const service = await start();
    await service.call('POST', '/api/sites', site('whole'), await service.signIn());
    const { file } = await backUp({ dataDir }, { withKeys: false, now });
    await stop();
    const bytes = await readFile(file);
    bytes.write('v', bytes.indexOf('whole.example.com'));
    await writeFile(file, bytes);
    const { message, mend } = await refusal(restoreBackup({ dataDir }, { file, withKeys: false, now }));
    expect(message).toContain('not as it was written');
    expect(mend).toContain('pragma application_id = 0');
    const changed = new DatabaseSync(file);
    changed.exec('pragma application_id = 0');
    changed.close();
    await restoreBackup({ dataDir }, { file, withKeys: false, now });
    // What was restored is written to, and copied by hand at times.
    await start();
    await stop();
    await copyFile(path.join(dataDir, 'portcullis.sqlite'), path.join(folder, 'copied'));
    await restoreBackup({ dataDir }, { file: path.join(folder, 'copied'), withKeys: false, now });
  });

  it('whose restore is killed between the old database and the new leaves no way to start on an empty one', async () => {
    await start();
    const { file } = await backUp({ dataDir }, { withKeys: false, now });
    await stop();
    const replaced = path.join(dataDir, 'backups', 'replaced.sqlite');
    await mkdir(path.join(dataDir, 'restoring'));
    await rename(path.join(dataDir, 'portcullis.sqlite'), replaced);
    const { message, mend } = await refusal(startService({ dataDir }));
    expect(message).toContain('was interrupted');
    expect(mend).toContain('`portcullis restore` again');
    await restoreBackup({ dataDir }, { file, withKeys: false, now });
    expect(await siteNames(await start())).toEqual([]);
  });

  const small = mountSmall(2);
  it.skipIf(!small)(
    `and a restore say what a full disk holds up, and leave nothing there${small ? '' : ' (no file system can be mounted here)'}`,
    async () => {
      const disk = small?.dir ?? '';
      await start();
      const { file } = await backUp({ dataDir }, { withKeys: true, now });
      await stop();
      await writeFile(path.join(disk, 'filler'), Buffer.alloc(1_900_000));
      try {
        const there = { file: path.join(disk, 'copy.sqlite'), withKeys: false, now };
        expect((await refusal(backUp({ dataDir }, there))).mend).toContain('space');
        expect(await readdir(disk)).toEqual(['filler']);
        const place = { dataDir: path.join(disk, 'data') };
        const refused = await refusal(restoreBackup(place, { file, withKeys: true, now }));
        expect(refused.message).toContain(`${place.dataDir} has no room`);
        expect(await readdir(place.dataDir)).toEqual([]);
      } finally {
        small?.unmount();
      }
    },
  );

  it('never replaces a file, and needs a database to copy', async () => {
    expect((await refusal(backUp({ dataDir }, { withKeys: false, now }))).message).toContain('no database');
    await start();
    const file = path.join(folder, 'taken');
    await writeFile(file, 'mine');
    const error = await refusal(backUp({ dataDir }, { file, withKeys: false, now }));
    expect(error.message).toContain('exists already');
    expect(await readFile(file, 'utf8')).toBe('mine');
  });

  it.skipIf(postgres.missing !== undefined)(
    `of PostgreSQL is a file like every other, and fills an empty database${postgres.missing ? ` (${postgres.missing})` : ''}`,
    async () => {
      const databaseUrl = await postgres.databaseUrl();
      const service = await start({ databaseUrl });
      const token = await service.signIn();
      await service.call('POST', '/api/sites', site('before'), token);
      const { file, bytes } = await backUp({ dataDir, databaseUrl }, { withKeys: false, now });
      const { size, mode } = await stat(file);
      expect([bytes, mode & 0o777]).toEqual([size, 0o600]);
      expect(await readdir(path.dirname(file))).toEqual([path.basename(file)]);
      await service.call('POST', '/api/sites', site('after'), token);
      await stop();
      const options = { file, withKeys: false, now };
      expect((await refusal(restoreBackup({ dataDir, databaseUrl }, options))).message).toContain(
        'not empty',
      );
      const place = { dataDir, databaseUrl: await postgres.databaseUrl() };
      await restoreBackup(place, options);
      const again = await start(place);
      expect((await again.call('GET', '/api/auth/me', undefined, token)).status).toBe(401);
      expect(await siteNames(again)).toEqual(['before']);
      expect(await siteNames(await start({ databaseUrl }))).toEqual(['before', 'after']);
      await stop();
      await restoreBackup({ dataDir }, options);
      expect(await siteNames(await start())).toEqual(['before']);
    },
  );

  it('of a server that is away names it', async () => {
    const place = { dataDir, databaseUrl: 'postgres://u@127.0.0.1:1/none' };
    expect((await refusal(backUp(place, { withKeys: false, now }))).message).toContain(
      '127.0.0.1:1 cannot be reached',
    );
  });
});
