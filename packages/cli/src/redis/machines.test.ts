import { randomUUID } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type PostgresServer, postgresMissing, startPostgres } from '@portcullis/service/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type PartProcess,
  type RedisServer,
  redisMissing,
  runCommand,
  startPart,
  startRedis,
} from './testing/index.ts';

const missing = redisMissing ?? postgresMissing;
const email = 'admin@example.com';
const password = 'Correct-horse-7!';
const clusterKey = 'a cluster key of more than 32 characters';
const soon = { timeout: 50_000, interval: 50 };

describe.skipIf(missing)(`several machines${missing ? ` (${missing})` : ''}`, () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'portcullis-machines-'));
  const parts = new Set<PartProcess>();
  let redis: RedisServer;
  let postgres: PostgresServer;
  let database: pg.Pool;
  let databaseUrl: string;
  let upstream: Server;
  let services: PartProcess[] = [];
  let gateways: PartProcess[] = [];
  let token: string;
  const sites: { id: string; version: number }[] = [];
  const answered = [0, 0];
  let blocked = 0;

  const dataDir = (name: string) => path.join(folder, name);
  const start = async (name: string, args: string[], more: Record<string, string> = {}) => {
    const part = await startPart(args, {
      PORTCULLIS_DATA_DIR: dataDir(name),
      PORTCULLIS_NODE_NAME: name,
      PORTCULLIS_REDIS_URL: redis.url,
      PORTCULLIS_CLUSTER_KEY: clusterKey,
      PORTCULLIS_ADMIN_PORT: '0',
      PORTCULLIS_HTTP_PORT: '0',
      PORTCULLIS_HTTPS_PORT: '0',
      PORTCULLIS_GATEWAY_WORKERS: '1',
      ...more,
    });
    parts.add(part);
    return part;
  };
  const startService = (name: string) =>
    start(name, ['service'], {
      PORTCULLIS_DATABASE_URL: databaseUrl,
      PORTCULLIS_ADMIN_EMAIL: email,
      PORTCULLIS_ADMIN_PASSWORD: password,
    });
  const startGateway = (name: string) => start(name, ['gateway', '--id', 'gateway-1']);

  const call = async (service: number, method: string, url: string, body?: unknown) => {
    const response = await fetch(`http://127.0.0.1:${services[service]?.port}${url}`, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as never };
  };
  const get = (
    gateway: number,
    target: string,
    headers: Record<string, string> = { host: `${gateway === 0 ? 'one' : 'two'}.example.com` },
  ) =>
    new Promise<number>((resolve, reject) => {
      const port = gateways[gateway]?.port;
      request({ host: '127.0.0.1', port, path: target, headers, agent: false }, (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode ?? 0));
      })
        .on('error', reject)
        .end();
    });
  /** Asks until told to stop. @returns resolves once the last answer is there */
  const load = (gateway: number) => {
    let stopping = false;
    const asking = (async () => {
      for (let turn = 0; !stopping; turn += 1) {
        const attack = turn % 10 === 0;
        const status = await get(
          gateway,
          attack ? "/?q=1'%20union%20select%20password%20from%20users--" : '/',
        ).catch(() => 0);
        if (status === 0) continue;
        answered[gateway] = (answered[gateway] ?? 0) + 1;
        expect(status).toBe(attack ? 403 : 200);
        if (attack && gateway === 1) blocked += 1;
      }
    })();
    return async () => {
      stopping = true;
      await asking;
    };
  };
  const totals = async (site: number) => {
    const { rows } = await database.query('select requests, blocked from traffic_total where site_id = $1', [
      sites[site]?.id,
    ]);
    return { requests: Number(rows[0]?.requests ?? 0), blocked: Number(rows[0]?.blocked ?? 0) };
  };
  const events = async (site: number) => {
    const days = await database.query('select day from event_days');
    let sum = 0;
    for (const { day } of days.rows) {
      const { rows } = await database.query(
        `select sum(count) as sum from events_${day} where site_id = $1 and decision = 'block'`,
        [sites[site]?.id],
      );
      sum += Number(rows[0]?.sum ?? 0);
    }
    return sum;
  };

  beforeAll(async () => {
    [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
    databaseUrl = await postgres.url('portcullis');
    database = new pg.Pool({ connectionString: databaseUrl });
    database.on('error', () => {});
    upstream = createServer((_, response) => response.end('ok'));
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
    const first = await startService('service-a');
    cpSync(path.join(dataDir('service-a'), 'secrets'), path.join(dataDir('service-b'), 'secrets'), {
      recursive: true,
    });
    const [second, ...started] = await Promise.all([
      startService('service-b'),
      startGateway('edge-a'),
      startGateway('edge-b'),
    ]);
    services = [first, second];
    gateways = started;
  });
  afterAll(async () => {
    await Promise.all([...parts].map((part) => part.stop()));
    await database?.end();
    await Promise.all([redis?.stop(), postgres?.stop()]);
    upstream?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('hold one session: who signs in on one service is signed in on the other', async () => {
    const { body } = await call(0, 'POST', '/api/auth/login', { email, password });
    token = (body as { token: string }).token;
    expect((await call(1, 'GET', '/api/auth/me')).status).toBe(200);
  });

  it('put a change on one service in force on every gateway, and show it on the other service', async () => {
    const port = (upstream.address() as AddressInfo).port;
    for (const name of ['one', 'two']) {
      const made = await call(0, 'POST', '/api/sites', {
        name,
        domains: [`${name}.example.com`],
        backend_url: `http://127.0.0.1:${port}`,
        rate_limit: { enabled: false },
      });
      expect(made.status).toBeLessThan(300);
      sites.push(made.body);
    }
    for (const gateway of [0, 1]) {
      await vi.waitFor(async () => expect(await get(gateway, '/')).toBe(200), soon);
      answered[gateway] = 1;
    }
    await vi.waitFor(async () => {
      const { body } = await call(1, 'GET', '/api/sites');
      expect(JSON.stringify(body)).toContain('two.example.com');
    }, soon);
  });

  it('refuse a change on one service that knows nothing of the change on the other', async () => {
    const [site] = sites;
    const version = site?.version;
    const change = (service: number, description: string) =>
      call(service, 'PUT', `/api/sites/${site?.id}`, { description, version });
    const outcomes = await Promise.all([change(0, 'from a'), change(1, 'from b')]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('hold a client to one rate limit, whichever gateway it asks', async () => {
    const { address, port } = upstream.address() as AddressInfo;
    const limit = {
      enabled: true,
      capacity: 1000,
      buckets: [{ name: 'each', capacity: 6, window: 3600, header: 'x-client' }],
    };
    const made = await call(0, 'POST', '/api/sites', {
      name: 'limited',
      domains: ['limited.example.com'],
      backend_url: `http://${address}:${port}`,
      rate_limit: limit,
    });
    expect(made.status).toBeLessThan(300);
    const as = (client: string, gateway: number) =>
      get(gateway, '/', { host: 'limited.example.com', 'x-client': client });
    for (const gateway of [0, 1])
      await vi.waitFor(async () => expect(await as('nobody', gateway)).toBe(200), soon);
    // A busy machine may be slower than a request waits for the others' word: then the next try, as another client.
    await vi.waitFor(async () => {
      const client = randomUUID();
      const statuses: number[] = [];
      for (let turn = 0; turn < 12; turn += 1) statuses.push(await as(client, turn % 2));
      expect(statuses).toEqual(Array.from({ length: 12 }, (_, turn) => (turn < 6 ? 200 : 429)));
    }, soon);
  });

  it('know of each other, and say so in the API and on the command line', async () => {
    const names = ['service-a.service', 'service-b.service', 'edge-a.gateway-1', 'edge-b.gateway-1'];
    type List = { members: { id: string; state: string; warnings: unknown[] }[] };
    const told = ({ members }: List) => members.map(({ id, state, warnings }) => [id, state, warnings]);
    const well = names.map((name) => [name, 'present', []]);
    for (const service of [0, 1]) {
      await vi.waitFor(
        async () => expect(told((await call(service, 'GET', '/api/fleet')).body)).toEqual(well),
        soon,
      );
    }
    // Where no service of the data folder answers: the database, and who speaks on Redis.
    const { printed } = await runCommand(['status', '--json'], {
      PORTCULLIS_REDIS_URL: redis.url,
      PORTCULLIS_CLUSTER_KEY: clusterKey,
      PORTCULLIS_DATABASE_URL: databaseUrl,
      PORTCULLIS_DATA_DIR: dataDir('nobody'),
    });
    expect(told(JSON.parse(printed))).toEqual(well);
  });

  it('count each request once, whoever dies and comes back', async () => {
    const stop = [load(0), load(1)];
    const grow = async () => {
      const before = (await totals(1)).requests;
      await vi.waitFor(async () => expect((await totals(1)).requests).toBeGreaterThan(before + 20), soon);
    };
    await grow();
    await redis.restart();
    await grow();
    await services[0]?.kill();
    await grow();
    await postgres.restart();
    await grow();
    await stop[0]?.();
    await gateways[0]?.kill();
    await stop[1]?.();
    await vi.waitFor(async () => expect((await totals(1)).requests).toBe(answered[1]), soon);
    expect(await totals(1)).toEqual({ requests: answered[1], blocked });
    expect(await events(1)).toBe(blocked);
    // What the killed one had appended is stored as well, once: its batches lay before those.
    const { requests } = await totals(0);
    expect(requests).toBeGreaterThan(0);
    expect(requests).toBeLessThanOrEqual(answered[0] ?? 0);
    gateways[0] = await startGateway('edge-a');
    for (let turn = 0; turn < 5; turn += 1) expect(await get(0, '/')).toBe(200);
    await vi.waitFor(async () => expect((await totals(0)).requests).toBe(requests + 5), soon);
  });

  it('miss the one that is gone, on the command line too', async () => {
    await vi.waitFor(async () => {
      const { body } = await call(1, 'GET', '/api/fleet');
      expect(JSON.stringify(body)).toContain('"absent"');
    }, soon);
    const { code, printed } = await runCommand(['status'], { PORTCULLIS_DATA_DIR: dataDir('service-b') });
    expect(printed).toContain("As this machine's service knows it");
    expect(printed).toMatch(/^edge-b\.gateway-1 +gateway +present /m);
    expect(printed).toMatch(/^! service-a\.service: Not heard of for /m);
    expect(code).toBe(1);
  });

  it('have another service on duty once the one that was is gone', async () => {
    await vi.waitFor(() => expect(services[1]?.said()).toContain('On duty'), soon);
  });
});
