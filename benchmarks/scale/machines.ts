import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createRedisGatewayLink } from '../../packages/cli/src/redis/index.ts';
import { type PartProcess, startPart, startRedis } from '../../packages/cli/src/redis/testing/index.ts';
import { startPostgres } from '../../packages/service/src/storage/testing/index.ts';
import type { IntakePlace } from './intake.ts';

export const clusterKey = 'a cluster key of more than 32 characters';
const email = 'admin@example.com';
const password = 'Correct-horse-7!';

/** What a benchmark reads of answers. */
interface Answer {
  readonly id: string;
  readonly token: string;
}

/** PostgreSQL, Redis, a service and gateways, each a process as operators start them. */
export interface Machines {
  readonly redisUrl: string;
  readonly databaseUrl: string;
  readonly gateways: readonly { readonly part: PartProcess; readonly dataDir: string }[];
  /** Calls the API as an administrator. @throws where it refuses */
  call(method: string, url: string, body?: unknown): Promise<Answer>;
  stop(): Promise<void>;
}

/** @param count gateways, each with a data folder of its own */
export async function startMachines(count: number): Promise<Machines> {
  const folder = mkdtempSync(path.join(tmpdir(), 'portcullis-scale-'));
  const [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
  const databaseUrl = await postgres.url('scale');
  const environment = (name: string) => ({
    PORTCULLIS_DATA_DIR: path.join(folder, name),
    PORTCULLIS_NODE_NAME: name,
    PORTCULLIS_REDIS_URL: redis.url,
    PORTCULLIS_CLUSTER_KEY: clusterKey,
    PORTCULLIS_ADMIN_PORT: '0',
    PORTCULLIS_HTTP_PORT: '0',
    PORTCULLIS_HTTPS_PORT: '0',
    PORTCULLIS_GATEWAY_WORKERS: '1',
    NODE_COMPILE_CACHE: path.join(folder, 'code'),
  });
  const service = await startPart(['service'], {
    ...environment('service'),
    PORTCULLIS_DATABASE_URL: databaseUrl,
    PORTCULLIS_ADMIN_EMAIL: email,
    PORTCULLIS_ADMIN_PASSWORD: password,
  });
  const gateways: { part: PartProcess; dataDir: string }[] = [];
  for (let number = 1; number <= count; number += 1) {
    const name = `edge-${number}`;
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
    redisUrl: redis.url,
    databaseUrl,
    gateways,
    call,
    async stop() {
      await Promise.all([service, ...gateways.map(({ part }) => part)].map((part) => part.stop()));
      await Promise.all([redis.stop(), postgres.stop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const silent = { info: () => {}, warn: () => {}, error: () => {} };

/** Where events go in on several machines. */
export const intakePlaceOf = ({ redisUrl, databaseUrl, gateways }: Machines): IntakePlace => ({
  open: () => createRedisGatewayLink({ url: redisUrl, clusterKey, log: silent }),
  storage: { dataDir: tmpdir(), databaseUrl },
  apart: gateways.map(({ part }) => part.pid),
});
