import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const binary = ['/usr/bin/redis-server', '/usr/bin/valkey-server'].find((file) => existsSync(file));

/** Why no server can be started here; undefined where one can. */
export const redisMissing =
  binary === undefined ? 'Redis is not installed (/usr/bin/redis-server)' : undefined;

/** A Redis of the test's own, reached by a socket in its folder alone. */
export interface RedisServer {
  readonly url: string;
  /** Ends it at once, with all that it remembers. */
  kill(): Promise<void>;
  /** Starts it again where it was, empty. */
  restart(): Promise<void>;
  /** Holds it still, as a machine that swaps or a network that is cut. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

export async function startRedis(): Promise<RedisServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'portcullis-redis-'));
  const socket = path.join(folder, 'redis.sock');
  let server = await run(folder, socket);
  const kill = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const exited = once(server, 'exit');
    server.kill('SIGKILL');
    await exited;
  };
  return {
    url: `redis://localhost/0?path=${encodeURIComponent(socket)}`,
    kill,
    async restart() {
      await kill();
      await rm(socket, { force: true });
      server = await run(folder, socket);
    },
    freeze: () => void server.kill('SIGSTOP'),
    thaw: () => void server.kill('SIGCONT'),
    async stop() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function run(folder: string, socket: string): Promise<ChildProcess> {
  if (binary === undefined) throw new Error(redisMissing);
  const settings = [
    '--port',
    '0',
    '--unixsocket',
    socket,
    '--dir',
    folder,
    '--save',
    '',
    '--appendonly',
    'no',
  ];
  const server = spawn(binary, settings, { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.stdout?.on('data', (chunk) => {
    said += chunk;
    if (said.includes('eady to accept connections')) resolve();
  });
  server.once('exit', (code) => reject(new Error(`redis-server ended with ${code}: ${said}`)));
  await promise;
  return server;
}
