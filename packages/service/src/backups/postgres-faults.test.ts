import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStorage, type Storage } from '../storage/index.ts';
import {
  mountReadOnly,
  mountSmall,
  type PostgresServer,
  postgresMissing,
  startPostgres,
} from '../storage/testing/index.ts';
import { startService } from '../testing/index.ts';
import { refusal } from '../testing/refusal.ts';
import { backUp, restoreBackup } from './index.ts';

const restoring = path.join(import.meta.dirname, 'testing', 'restoring.ts');
const small = postgresMissing === undefined ? mountSmall(120) : undefined;
const keyIn = ({ dataDir }: { readonly dataDir: string }) => path.join(dataDir, 'secrets', 'master.key');
const now = Date.UTC(2026, 0, 2, 3, 4, 5, 6);

describe.skipIf(postgresMissing !== undefined)(
  `a restore into PostgreSQL${postgresMissing ? ` (${postgresMissing})` : ''}`,
  () => {
    let server: PostgresServer;
    let folder: string;
    let file: string;
    let databases = 0;
    let target: Storage;
    let place: { dataDir: string; databaseUrl: string };

    beforeAll(async () => {
      server = await startPostgres(undefined, small?.dir);
      folder = await mkdtemp(path.join(tmpdir(), 'portcullis-restore-'));
      file = path.join(folder, 'backup.sqlite');
      const dataDir = path.join(folder, 'source');
      const service = await startService({ dataDir });
      const site = { name: 'shop', domains: ['shop.example.com'], backend_url: 'http://127.0.0.1:3000' };
      await service.call('POST', '/api/sites', site, await service.signIn());
      await service.stop();
      await backUp({ dataDir }, { file, withKeys: true, now });
    });
    afterAll(async () => {
      await server.stop();
      small?.unmount();
      await rm(folder, { recursive: true, force: true });
    });
    beforeEach(async () => {
      databases += 1;
      const databaseUrl = await server.url(`restored_${databases}`);
      place = { dataDir: path.join(folder, `data-${databases}`), databaseUrl };
      // The data folder has a key of its own already.
      await (await startService({ dataDir: place.dataDir })).stop();
      target = await openStorage(place);
    });
    afterEach(() => target.close());

    const rows = async () => (await target.read.selectFrom('sites').select('name').execute()).length;
    const waits = async (event: string) => {
      const found = await sql`
        select 1 from pg_stat_activity where datname = current_database() and wait_event = ${event}`.execute(
        target.read,
      );
      return found.rows.length;
    };
    const killedOnce = async (event: string) => {
      const args = [restoring, place.dataDir, place.databaseUrl, file];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
      const exited = once(child, 'exit');
      await expect.poll(() => waits(event), { timeout: 60_000, interval: 50 }).toBe(1);
      child.kill('SIGKILL');
      expect(await exited).toEqual([null, 'SIGKILL']);
    };
    const startsWithTheSite = async () => {
      const service = await startService(place);
      const { body } = await service.call('GET', '/api/sites', undefined, await service.signIn());
      await service.stop();
      expect(body.map(({ name }: { name: string }) => name)).toEqual(['shop']);
    };

    it('that is killed while it writes leaves the database empty, and is done by the next', async () => {
      await target.transaction(async (trx) => {
        await sql`lock table config_versions in exclusive mode`.execute(trx);
        await killedOnce('relation');
      });
      await expect.poll(() => waits('relation'), { timeout: 60_000 }).toBe(0);
      expect(await rows()).toBe(0);
      await restoreBackup(place, { file, withKeys: true, now });
      await startsWithTheSite();
    });

    it('that is killed at the very end has its key in place where its rows are', async () => {
      await sql`create function slowly() returns trigger language plpgsql as
        'begin perform pg_sleep(2); return null; end'`.execute(target.db);
      await sql`create constraint trigger slowly after insert on sites deferrable initially deferred
        for each row execute function slowly()`.execute(target.db);
      await killedOnce('PgSleep');
      // The server was told to commit: it does, whether or not anybody still listens.
      await expect.poll(rows, { timeout: 60_000 }).toBe(1);
      await startsWithTheSite();
    });

    /** Stands between a restore and the server. @param onward whether what the client says goes on */
    const between = async (onward: (bytes: Buffer) => boolean) => {
      const url = new URL(place.databaseUrl);
      const socket = `${url.searchParams.get('host')}/.s.PGSQL.${url.port || 5432}`;
      url.search = '';
      url.hostname = '127.0.0.1';
      const sockets: Socket[] = [];
      const proxy = createServer((client) => {
        const server = connect(socket);
        sockets.push(client, server);
        for (const one of [client, server]) one.on('error', () => {});
        client.on('data', (bytes: Buffer) => onward(bytes) && server.write(bytes));
        client.on('close', () => server.destroy());
        server.pipe(client);
      }).listen(0, '127.0.0.1');
      await once(proxy, 'listening');
      url.port = String((proxy.address() as AddressInfo).port);
      const cut = () => {
        for (const one of sockets) one.destroy();
      };
      return { url: url.href, proxy, cut };
    };

    it('that is killed between its key and its rows keeps a new installation from beginning there', async () => {
      const before = await readFile(keyIn(place), 'utf8');
      const reached = Promise.withResolvers<void>();
      const { url, proxy, cut } = await between((bytes) => {
        const isLast = bytes.includes('commit') && readFileSync(keyIn(place), 'utf8') !== before;
        if (isLast) reached.resolve();
        return !isLast;
      });
      const child = spawn(process.execPath, [restoring, place.dataDir, url, file], { stdio: 'ignore' });
      const exited = once(child, 'exit');
      await reached.promise;
      child.kill('SIGKILL');
      expect(await exited).toEqual([null, 'SIGKILL']);
      proxy.close();
      cut();
      expect(await rows()).toBe(0);
      const refused = await refusal(startService(place));
      expect(refused.message).toContain('has not come to its end');
      expect(refused.mend).toContain('portcullis restore');
      await restoreBackup(place, { file, withKeys: true, now });
      await startsWithTheSite();
    });

    /** Breaks the connection of a restore while the server is at its commit. @param after what the commit then does */
    const brokenAtCommit = async (after: string, { back }: { back: boolean }) => {
      await sql`create function slowly() returns trigger language plpgsql as ${sql.lit(
        `begin perform pg_sleep(2); ${after} return null; end`,
      )}`.execute(target.db);
      await sql`create constraint trigger slowly after insert on sites deferrable initially deferred
        for each row execute function slowly()`.execute(target.db);
      const { url, proxy, cut } = await between(() => true);
      const options = { file, withKeys: true, now, patienceMs: back ? 60_000 : 0 };
      const restored = restoreBackup({ ...place, databaseUrl: url }, options).catch((error) => error);
      await expect.poll(() => waits('PgSleep'), { timeout: 60_000, interval: 50 }).toBe(1);
      if (!back) proxy.close();
      cut();
      const outcome = await restored;
      if (back) proxy.close();
      cut();
      return outcome;
    };

    it('whose connection breaks while the server commits is done, with the key of its rows', async () => {
      expect(await brokenAtCommit('', { back: true })).toMatchObject({ notices: [] });
      expect(await rows()).toBe(1);
      await startsWithTheSite();
    });

    it('whose connection breaks while the server refuses leaves the key that was there', async () => {
      const before = await readFile(keyIn(place), 'utf8');
      const refused = await brokenAtCommit('raise exception using message = $$no$$;', { back: true });
      expect(refused.message).toContain('cannot be reached');
      expect([await readFile(keyIn(place), 'utf8'), await rows()]).toEqual([before, 0]);
    });

    it('of which nobody can tell how it ended leaves its key, and says where the one before lies', async () => {
      const before = await readFile(keyIn(place), 'utf8');
      const refused = await brokenAtCommit('', { back: false });
      expect(refused.message).toContain('Whether the backup was restored is not known');
      const [, replaced = ''] = /The key before lies in (\S+) and was/.exec(refused.message) ?? [];
      expect(await readFile(replaced, 'utf8')).toBe(before);
      await expect.poll(rows, { timeout: 60_000 }).toBe(1);
      await startsWithTheSite();
    });

    it('that fails at the very end leaves the key that was there', async () => {
      const key = keyIn(place);
      const before = await readFile(key, 'utf8');
      await sql`create function refuse() returns trigger language plpgsql as
        'begin raise exception using errcode = ''53100'', message = ''No space left on device''; end'`.execute(
        target.db,
      );
      await sql`create constraint trigger refuse after insert on sites deferrable initially deferred
        for each row execute function refuse()`.execute(target.db);
      const refused = await refusal(restoreBackup(place, { file, withKeys: true, now }));
      expect(refused.message).toContain('has a full disk');
      expect([await readFile(key, 'utf8'), await rows()]).toEqual([before, 0]);
    });

    it.skipIf(!small)(
      `whose key cannot be put back says where both lie, and is done by hand or again${small ? '' : ' (no file system can be mounted here)'}`,
      async () => {
        const before = await readFile(keyIn(place), 'utf8');
        await sql`create function slowly() returns trigger language plpgsql as
          'begin perform pg_sleep(2); raise exception using message = ''no''; end'`.execute(target.db);
        await sql`create constraint trigger slowly after insert on sites deferrable initially deferred
          for each row execute function slowly()`.execute(target.db);
        const refused = refusal(restoreBackup(place, { file, withKeys: true, now }));
        await expect.poll(() => waits('PgSleep'), { timeout: 60_000, interval: 50 }).toBe(1);
        const disk = mountReadOnly(place.dataDir);
        const { message, mend } = await refused.finally(() => disk?.unmount());
        expect(message).toContain('Nor could the key be put back (EROFS');
        expect(mend).toContain('The database is empty: put the key back by hand, or restore again');
        expect(await rows()).toBe(0);
        const [, replaced = '', from = ''] =
          /The key before lies in (\S+) and was (\S+)\./.exec(message) ?? [];
        expect([await readFile(replaced, 'utf8'), from]).toEqual([before, keyIn(place)]);
        await sql`drop function slowly cascade`.execute(target.db);
        await restoreBackup(place, { file, withKeys: true, now: now + 1000 });
        await startsWithTheSite();
        await rename(replaced, from);
        await (await startService({ dataDir: place.dataDir })).stop();
      },
    );

    it.skipIf(!small)(
      `on a full disk says so and leaves nothing, and is done once there is room${small ? '' : ' (no file system can be mounted here)'}`,
      async () => {
        const filler = path.join(small?.dir ?? '', 'filler');
        const full = writeFile(filler, Buffer.alloc(120 * 1024 * 1024));
        await expect(full).rejects.toMatchObject({ code: 'ENOSPC' });
        const refused = await refusal(restoreBackup(place, { file, withKeys: true, now }));
        expect(refused.message).toContain('has a full disk');
        expect(refused.mend).toContain('Free some space on its machine');
        expect(await rows()).toBe(0);
        await rm(filler);
        await restoreBackup(place, { file, withKeys: true, now });
        await startsWithTheSite();
      },
    );
  },
);
