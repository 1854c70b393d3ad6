import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLinkClient, linkSocketPath } from '../../packages/cli/src/link/index.ts';
import { createRedisGatewayLink } from '../../packages/cli/src/redis/index.ts';
import { type PartProcess, startPart, startRedis } from '../../packages/cli/src/redis/testing/index.ts';
import { startPostgres } from '../../packages/service/src/storage/testing/index.ts';
import type { IntakePlace } from './intake.ts';
import type { Shape } from './published.ts';

const clusterKey = 'a cluster key of more than 32 characters';
const email = 'admin@example.com';
const password = 'Correct-horse-7!';

/** What a benchmark reads of answers. */
interface Answer {
  readonly id: string;
  readonly token: string;
}

/** A service and gateways, and PostgreSQL and Redis where there are several machines, as operators start them. */
export interface Machines {
  /** a gateway's end of the link, in this process */
  openLink(): ReturnType<IntakePlace['open']> & Pick<ReturnType<typeof createRedisGatewayLink>, 'source'>;
  readonly storage: IntakePlace['storage'];
  readonly gateways: readonly { readonly part: PartProcess; readonly dataDir: string }[];
  /** Calls the API as an administrator. @throws where it refuses */
  call(method: string, url: string, body?: unknown): Promise<Answer>;
  stop(): Promise<void>;
}

/** PostgreSQL and Redis of several machines. */
async function startServers() {
  const [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
  return {
    databaseUrl: await postgres.url('scale'),
    redisUrl: redis.url,
    stop: () => Promise.all([redis.stop(), postgres.stop()]),
  };
}

/** @param count gateways, each with a data folder of its own; on one machine they find the service's socket there */
export async function startMachines(count: number, shape: Shape): Promise<Machines> {
  const folder = mkdtempSync(path.join(tmpdir(), 'portcullis-scale-'));
  const serviceDir = path.join(folder, 'service');
  const servers = shape === 'machines' ? await startServers() : undefined;
  const environment = (name: string) => ({
    PORTCULLIS_DATA_DIR: path.join(folder, name),
    PORTCULLIS_NODE_NAME: name,
    ...(servers && { PORTCULLIS_REDIS_URL: servers.redisUrl, PORTCULLIS_CLUSTER_KEY: clusterKey }),
    PORTCULLIS_ADMIN_PORT: '0',
    PORTCULLIS_HTTP_PORT: '0',
    PORTCULLIS_HTTPS_PORT: '0',
    PORTCULLIS_GATEWAY_WORKERS: '1',
    NODE_COMPILE_CACHE: path.join(folder, 'code'),
  });
  const service = await startPart(['service'], {
    ...environment('service'),
    ...(servers && { PORTCULLIS_DATABASE_URL: servers.databaseUrl }),
    PORTCULLIS_ADMIN_EMAIL: email,
    PORTCULLIS_ADMIN_PASSWORD: password,
  });
  const gateways: { part: PartProcess; dataDir: string }[] = [];
  for (let number = 1; number <= count; number += 1) {
    const name = `edge-${number}`;
    if (shape === 'embedded') {
      mkdirSync(path.join(folder, name));
      symlinkSync(path.join(serviceDir, 'run'), path.join(folder, name, 'run'));
    }
    const part = await startPart(['gateway', '--id', 'gateway-1'], environment(name));
    gateways.push({ part, dataDir: path.join(folder, name) });
  }
  let token: string | undefined;
  const call = async (method: string, url: string, body?: unknown): Promise<Answer> => {
    const response = await fetch(`http://127.0.0.1:${service.port}${url}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Answer;
    if (!response.ok) throw new Error(`${method} ${url}: ${JSON.stringify(answer)}`);
    return answer;
  };
  token = (await call('POST', '/api/auth/login', { email, password })).token;
  return {
    openLink: () =>
      servers
        ? createRedisGatewayLink({ url: servers.redisUrl, clusterKey, log: silent })
        : createLinkClient(linkSocketPath(serviceDir), silent),
    storage: servers ? { dataDir: tmpdir(), databaseUrl: servers.databaseUrl } : { dataDir: serviceDir },
    gateways,
    call,
    async stop() {
      await Promise.all([service, ...gateways.map(({ part }) => part)].map((part) => part.stop()));
      await servers?.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const silent = { info: () => {}, warn: () => {}, error: () => {} };

/** Where events go in. */
export const intakePlaceOf = ({ openLink, storage, gateways }: Machines): IntakePlace => ({
  open: openLink,
  storage,
  apart: gateways.map(({ part }) => part.pid),
});
