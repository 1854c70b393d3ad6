import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  type PartProcess,
  type RedisServer,
  startPart,
  startRedis,
} from '../../packages/cli/src/redis/testing/index.ts';
import { startPostgres } from '../../packages/service/src/storage/testing/postgres-server.ts';
import { freePort, type Installation } from './product.ts';

/** What every part on a machine of its own is started with. */
export const onMachine = (folder: string, name: string, redis: RedisServer) => ({
  PORTCULLIS_DATA_DIR: path.join(folder, name),
  PORTCULLIS_NODE_NAME: name,
  PORTCULLIS_REDIS_URL: redis.url,
  PORTCULLIS_CLUSTER_KEY: 'a cluster key of more than 32 characters',
  PORTCULLIS_ADMIN_PORT: '0',
  PORTCULLIS_HTTPS_PORT: '0',
});

/**
 * Starts the product as it runs on several machines: PostgreSQL, Redis, two services behind a balancer that gives each
 * connection to the next, and two gateways on one port.
 * @param more further environment of every process
 */
export async function startMachines(more: Record<string, string>): Promise<Installation> {
  await using whole = new AsyncDisposableStack();
  const folder = mkdtempSync(path.join(tmpdir(), 'portcullis-e2e-machines-'));
  whole.defer(() => rmSync(folder, { recursive: true, force: true }));
  const redis = await startRedis();
  whole.defer(() => redis.stop());
  const postgres = await startPostgres();
  whole.defer(() => postgres.stop());
  const databaseUrl = await postgres.url('portcullis');
  const gatewayPort = await freePort();
  const startParts = async (parts: PartProcess[]) => {
    const start = async (name: string, args: string[], special: Record<string, string>) => {
      const part = await startPart(args, { ...onMachine(folder, name, redis), ...more, ...special });
      parts.push(part);
      return part;
    };
    const service = (name: string) => start(name, ['service'], { PORTCULLIS_DATABASE_URL: databaseUrl });
    const gateway = (name: string) =>
      start(name, ['gateway', '--id', 'gateway-1'], {
        PORTCULLIS_HTTP_HOST: '127.0.0.1',
        PORTCULLIS_HTTP_PORT: String(gatewayPort),
        // More than one, so that it shares its port.
        PORTCULLIS_GATEWAY_WORKERS: '2',
      });
    const first = await service('service-a');
    // As the guide has it: every service holds the same secrets.
    cpSync(path.join(folder, 'service-a', 'secrets'), path.join(folder, 'service-b', 'secrets'), {
      recursive: true,
    });
    const [second] = await together(service('service-b'), gateway('edge-a'), gateway('edge-b'));
    return [first, second];
  };
  const running = async (): Promise<Installation> => {
    await using started = new AsyncDisposableStack();
    const parts: PartProcess[] = [];
    started.defer(async () => void (await Promise.all(parts.map((part) => part.stop()))));
    const services = await startParts(parts);
    const balancer = await startBalancer(services);
    started.defer(() => void balancer.close());
    const port = (balancer.address() as AddressInfo).port;
    const these = started.move();
    return {
      console: `http://127.0.0.1:${port}`,
      gatewayPort,
      setupLink: services[0]?.setupLink?.replace(/:\d+\//, `:${port}/`),
      output: () => parts.map(({ said }) => said()).join('\n'),
      async restart() {
        await these.disposeAsync();
        return running();
      },
      async stop() {
        await these.disposeAsync();
        await all.disposeAsync();
      },
    };
  };
  const installation = await running();
  const all = whole.move();
  return installation;
}

/** Waits for all where one fails too: who cleans up then finds the others. */
async function together<T extends readonly unknown[]>(...starting: { [K in keyof T]: Promise<T[K]> }) {
  await Promise.allSettled(starting);
  return Promise.all(starting);
}

async function startBalancer(services: readonly PartProcess[]): Promise<Server> {
  let turn = 0;
  const balancer = createServer((near) => {
    const far = connect(services[turn++ % services.length]?.port ?? 0, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
      from.pipe(to);
    }
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  balancer.listen(0, '127.0.0.1', resolve);
  await promise;
  return balancer;
}
