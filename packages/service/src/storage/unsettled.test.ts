import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type TestService } from '../testing/index.ts';
import { openStorage, type Storage } from './index.ts';
import { type PostgresServer, postgresMissing, startPostgres } from './testing/index.ts';

/** A way to the server that can be cut. */
async function cable(databaseUrl: string): Promise<{ url: string; cut(): void; server: Server }> {
  const url = new URL(databaseUrl);
  const socket = `${url.searchParams.get('host')}/.s.PGSQL.${url.port || 5432}`;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const onward = connect(socket);
    for (const one of [client, onward]) {
      open.add(one);
      one.on('error', () => {}).once('close', () => open.delete(one));
    }
    client.pipe(onward).pipe(client);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url.search = '';
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const cut = () => {
    for (const one of open) one.destroy();
  };
  return { url: url.href, cut, server };
}

describe.skipIf(postgresMissing !== undefined)(
  `a call whose connection to PostgreSQL breaks${postgresMissing ? ` (${postgresMissing})` : ''}`,
  () => {
    let postgres: PostgresServer;
    let way: Awaited<ReturnType<typeof cable>>;
    let service: TestService;
    let token: string;
    let beside: Storage;
    beforeAll(async () => {
      postgres = await startPostgres();
      const databaseUrl = await postgres.url('unsettled');
      way = await cable(databaseUrl);
      service = await startService({ databaseUrl: way.url });
      token = await service.signIn();
      beside = await openStorage({ dataDir: service.dataDir, databaseUrl });
    });
    afterAll(async () => {
      await beside.close();
      await service.stop();
      way.cut();
      way.server.close();
      await postgres.stop();
    });

    const sites = async () =>
      (await beside.read.selectFrom('sites').select('name').execute()).map(({ name }) => name);
    const site = (name: string) => ({
      name,
      domains: [`${name}.example.com`],
      backend_url: 'http://127.0.0.1:3000',
    });
    /** Cuts the way while the server is in the middle of the call. */
    const cutDuring = async (name: string) => {
      const [isHeld, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const held = beside.transaction(async (trx) => {
        await sql`select pg_advisory_xact_lock(1)`.execute(trx);
        isHeld.resolve();
        await goOn.promise;
      });
      await isHeld.promise;
      const answer = service.call('POST', '/api/sites', site(name), token);
      const waiting = async () => {
        const found = await sql`select 1 from pg_stat_activity where wait_event = 'advisory'`.execute(
          beside.read,
        );
        return found.rows.length;
      };
      await expect.poll(waiting, { timeout: 60_000, interval: 20 }).toBe(1);
      way.cut();
      const answered = await answer;
      goOn.resolve();
      await held;
      return answered;
    };
    const waitsWhen = async (when: string) => {
      await sql`create or replace function waits() returns trigger language plpgsql as
        'begin perform pg_advisory_xact_lock(1); return null; end'`.execute(beside.db);
      await sql`create constraint trigger waits after insert on sites deferrable initially ${sql.raw(when)}
        for each row execute function waits()`.execute(beside.db);
    };

    it('before its commit has changed nothing, and says so', async () => {
      await waitsWhen('immediate');
      const { status, body } = await cutDuring('before');
      expect([status, body.code]).toEqual([503, 'storage_unavailable']);
      expect(body.message).toContain('Nothing was changed');
      await sql`drop trigger waits on sites`.execute(beside.db);
      expect(await sites()).toEqual([]);
    });

    it('at its commit does not say that nothing was changed, and shows what was once it answers', async () => {
      await waitsWhen('deferred');
      const { status, body } = await cutDuring('at');
      expect([status, body.code]).toEqual([503, 'storage_unavailable']);
      expect(body.message).toContain('may have been changed or not');
      await expect.poll(sites, { timeout: 60_000 }).toEqual(['at']);
      const listed = async () =>
        (await service.call('GET', '/api/sites', undefined, token)).body.map(
          ({ name }: { name: string }) => name,
        );
      await expect.poll(listed, { timeout: 60_000 }).toEqual(['at']);
      const inForce = () =>
        service.service.controlPlane
          .current()
          .flatMap((told) => (told.type === 'snapshot' ? told.snapshot.sites.map(({ name }) => name) : []));
      await expect.poll(inForce, { timeout: 60_000 }).toEqual(['at']);
    });
  },
);
