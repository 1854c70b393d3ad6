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
  const folder = mkdtempSync(path.join(tmpdir(), 'portcullis-e2e-machines-'));
  const [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
  const databaseUrl = await postgres.url('portcullis');
  const gatewayPort = await freePort();
  const start = (name: string, args: string[], special: Record<string, string>) =>
    startPart(args, { ...onMachine(folder, name, redis), ...more, ...special });
  const service = (name: string) => start(name, ['service'], { PORTCULLIS_DATABASE_URL: databaseUrl });
  const gateway = (name: string) =>
    start(name, ['gateway', '--id', 'gateway-1'], {
      PORTCULLIS_HTTP_HOST: '127.0.0.1',
      PORTCULLIS_HTTP_PORT: String(gatewayPort),
      // More than one, so that it shares its port.
      PORTCULLIS_GATEWAY_WORKERS: '2',
    });
  const startParts = async () => {
    const first = await service('service-a');
    // As the guide has it: every service holds the same secrets.
    cpSync(path.join(folder, 'service-a', 'secrets'), path.join(folder, 'service-b', 'secrets'), {
      recursive: true,
    });
    return [first, ...(await Promise.all([service('service-b'), gateway('edge-a'), gateway('edge-b')]))];
  };
  const running = async (): Promise<Installation> => {
    const parts = await startParts();
    const balancer = await startBalancer(parts.slice(0, 2));
    const port = (balancer.address() as AddressInfo).port;
    const stop = async () => {
      balancer.close();
      await Promise.all(parts.map((part) => part.stop()));
    };
    return {
      console: `http://127.0.0.1:${port}`,
      gatewayPort,
      setupLink: parts[0]?.setupLink?.replace(/:\d+\//, `:${port}/`),
      output: () => parts.map(({ said }) => said()).join('\n'),
      async restart() {
        await stop();
        return running();
      },
      async stop() {
        await stop();
        await Promise.all([redis.stop(), postgres.stop()]);
        rmSync(folder, { recursive: true, force: true });
      },
    };
  };
  return running();
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
