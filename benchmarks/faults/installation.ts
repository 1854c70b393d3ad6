import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type PartProcess,
  type RedisServer,
  startPart,
  startRedis,
} from '../../packages/cli/src/redis/testing/index.ts';
import { type PostgresServer, startPostgres } from '../../packages/service/src/storage/testing/index.ts';
import { Ledger } from './ledger.ts';
import { clients, type Machine, type Network } from './network.ts';
import { openStore, type Store } from './store.ts';
import type { Door } from './traffic.ts';

const email = 'admin@example.com';
const password = 'Correct-horse-7!';
const fakeTime = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';

/** Why no clock can be set wrong here; undefined where one can. */
export const fakeTimeMissing = existsSync(fakeTime) ? undefined : `faketime is not installed (${fakeTime})`;

/** A gateway on a machine of its own, with a site of its own and what clients saw of it. */
export interface Edge {
  readonly name: string;
  readonly machine: Machine;
  readonly spool: string;
  readonly ledger: Ledger;
  readonly door: Door;
  siteId: string;
  part: PartProcess;
  /** Starts it where it was. @param clockOffset such as `+120`, seconds that its clock is off */
  start(clockOffset?: string): Promise<void>;
}

/** A service on this machine. */
export interface Replica {
  readonly name: string;
  part: PartProcess;
  up: boolean;
  start(clockOffset?: string): Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Two services, three gateways, PostgreSQL and Redis, each a process on a machine of its own as far as cables go. */
export interface Installation {
  readonly redis: RedisServer;
  readonly postgres: PostgresServer;
  readonly redisMachine: Machine;
  readonly postgresMachine: Machine;
  readonly replicas: readonly Replica[];
  readonly edges: readonly Edge[];
  readonly store: Store;
  call(replica: Replica, method: string, url: string, body?: unknown): Promise<Answer>;
  stop(): Promise<void>;
}

const callPatienceMs = 8000;

/** @param folder of the run's own */
export async function startInstallation(network: Network, folder: string): Promise<Installation> {
  const [redisMachine, postgresMachine] = [network.machine('redis'), network.machine('postgres')];
  const [redis, postgres] = await Promise.all([
    startRedis(redisMachine),
    startPostgres({ ...postgresMachine, clients }),
  ]);
  const databaseUrl = await postgres.url('portcullis');
  const environment = (name: string) => environmentOf(name, folder, redis.url);
  const replicas = await startReplicas(folder, (name, offset) =>
    startPart(['service'], {
      ...environment(name),
      ...clockOf(offset),
      PORTCULLIS_DATABASE_URL: databaseUrl,
      PORTCULLIS_ADMIN_EMAIL: email,
      PORTCULLIS_ADMIN_PASSWORD: password,
    }),
  );
  const upstream = await startUpstream(network.frontAddress);
  const call = caller();
  const [first] = replicas as [Replica];
  await signIn(call, first, network.frontAddress);
  const edges: Edge[] = [];
  for (const name of ['edge-1', 'edge-2', 'edge-3']) {
    const machine = network.machine(name);
    const start = (offset?: string) =>
      startPart(
        ['gateway', '--id', 'gateway-1'],
        { ...environment(name), ...clockOf(offset) },
        machine.command,
      );
    edges.push(
      await startEdge({
        name,
        machine,
        folder,
        start,
        siteId: await addSite(call, first, name, upstream.url),
      }),
    );
  }
  const store = openStore(postgres.localUrl('portcullis'));
  return {
    redis,
    postgres,
    redisMachine,
    postgresMachine,
    replicas,
    edges,
    store,
    call: call.as,
    async stop() {
      await Promise.all([...replicas, ...edges].map(({ part }) => part.stop()));
      await store.close();
      await Promise.all([redis.stop(), postgres.stop()]);
      upstream.stop();
    },
  };
}

const environmentOf = (name: string, folder: string, redisUrl: string) => ({
  PORTCULLIS_DATA_DIR: path.join(folder, name),
  PORTCULLIS_NODE_NAME: name,
  PORTCULLIS_REDIS_URL: redisUrl,
  PORTCULLIS_CLUSTER_KEY: 'a cluster key of more than 32 characters',
  PORTCULLIS_ADMIN_PORT: '0',
  PORTCULLIS_HTTP_PORT: '0',
  PORTCULLIS_HTTPS_PORT: '0',
  PORTCULLIS_GATEWAY_WORKERS: '1',
  NODE_COMPILE_CACHE: path.join(folder, 'code'),
});

async function startUpstream(address: string): Promise<{ readonly url: string; stop(): void }> {
  const server = createServer((_, response) => response.end('ok'));
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  return {
    url: `http://${address}:${(server.address() as AddressInfo).port}`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The first one makes the secrets that all share. */
async function startReplicas(
  folder: string,
  startService: (name: string, offset?: string) => Promise<PartProcess>,
): Promise<Replica[]> {
  const replicas: Replica[] = [];
  for (const name of ['service-a', 'service-b']) {
    const secrets = path.join(folder, 'service-a', 'secrets');
    if (replicas.length > 0) cpSync(secrets, path.join(folder, name, 'secrets'), { recursive: true });
    const replica: Replica = {
      name,
      part: await startService(name),
      up: true,
      async start(offset) {
        replica.part = await startService(name, offset);
        replica.up = true;
      },
    };
    replicas.push(replica);
  }
  return replicas;
}

const clockOf = (offset: string | undefined): Record<string, string> =>
  offset === undefined ? {} : { LD_PRELOAD: fakeTime, FAKETIME: offset, FAKETIME_DONT_FAKE_MONOTONIC: '1' };

async function startEdge(plan: {
  readonly name: string;
  readonly machine: Machine;
  readonly folder: string;
  readonly siteId: string;
  readonly start: (offset?: string) => Promise<PartProcess>;
}): Promise<Edge> {
  const { name, machine, siteId, start } = plan;
  const spool = path.join(plan.folder, name, 'gateway', 'spool', `${name}_gateway-1`);
  mkdirSync(spool, { recursive: true });
  const ledger = new Ledger();
  const edge: Edge = {
    name,
    machine,
    spool,
    siteId,
    ledger,
    door: {
      address: machine.frontAddress,
      port: () => edge.part.port,
      host: `${name}.example.com`,
      ledger,
    },
    part: await start(),
    async start(offset) {
      edge.part = await start(offset);
    },
  };
  // Not counted: until it has its configuration it answers for no site.
  while (
    (await fetch(`http://${machine.frontAddress}:${edge.part.port}/`).catch(() => undefined))?.status ===
    undefined
  )
    await delay(50);
  return edge;
}

interface Caller {
  token: string | undefined;
  as(replica: Replica, method: string, url: string, body?: unknown): Promise<Answer>;
}

function caller(): Caller {
  const self: Caller = {
    token: undefined,
    async as(replica, method, url, body) {
      const response = await fetch(`http://127.0.0.1:${replica.part.port}/api${url}`, {
        method,
        signal: AbortSignal.timeout(callPatienceMs),
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(self.token && { authorization: `Bearer ${self.token}` }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: await response.json() };
    },
  };
  return self;
}

async function signIn(call: Caller, replica: Replica, trusted: string): Promise<void> {
  const must = ({ status, body }: Answer) => {
    if (status >= 300) throw new Error(JSON.stringify(body));
    return body;
  };
  call.token = (
    must(await call.as(replica, 'POST', '/auth/login', { email, password })) as { token: string }
  ).token;
  const security = must(await call.as(replica, 'GET', '/settings/security')) as Record<string, unknown>;
  must(await call.as(replica, 'PUT', '/settings/security', { ...security, trustedProxies: [trusted] }));
}

async function addSite(call: Caller, replica: Replica, name: string, backend: string): Promise<string> {
  const { status, body } = await call.as(replica, 'POST', '/sites', {
    name,
    domains: [`${name}.example.com`],
    backend_url: backend,
    // Never reached: it is asked for each request, and says when it is out of reach.
    rate_limit: { enabled: true, capacity: 1_000_000, window: 60 },
  });
  if (status >= 300) throw new Error(JSON.stringify(body));
  return (body as { id: string }).id;
}
