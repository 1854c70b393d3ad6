import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@portcullis/service/testing';

const execute = promisify(execFile);

/** Another server to try all of it against, such as a Valkey that was built by hand. */
const wanted = process.env.PORTCULLIS_TEST_REDIS;
const usual = ['/usr/bin/redis-server', '/usr/bin/valkey-server'];
const binary = (wanted === undefined ? usual : [wanted]).find((file) => existsSync(file));

/** Why no server can be started here; undefined where one can. */
export const redisMissing =
  binary === undefined ? `Redis is not installed (${wanted ?? usual.join(', ')})` : undefined;

/** Where else than on a socket in its folder a server is reached. */
interface RedisPlace {
  /** what starts it, such as `nsenter` with a network of its own */
  readonly command: readonly string[];
  readonly address: string;
}

const placedPort = '6379';

/** A Redis of the test's own, reached by a socket in its folder alone unless a place says where. */
export interface RedisServer {
  readonly url: string;
  /** reaches it even where its network is cut */
  readonly socket: string;
  /** Ends it at once, with all that it remembers. */
  kill(): Promise<void>;
  /** Starts it again where it was, empty. */
  restart(): Promise<void>;
  /** Holds it still, as a machine that swaps or a network that is cut. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

/** @param place where it also listens, on its usual port; absent: on a socket alone */
export async function startRedis(place?: RedisPlace): Promise<RedisServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'portcullis-redis-'));
  const socket = path.join(folder, 'redis.sock');
  const ears = ['--unixsocket', socket];
  if (place) ears.push('--bind', place.address, '--port', placedPort, '--protected-mode', 'no');
  const launch = () => run(folder, ears, place?.command);
  let server = await launch();
  const kill = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const exited = once(server, 'exit');
    server.kill('SIGKILL');
    await exited;
  };
  return {
    url: place
      ? `redis://${place.address}:${placedPort}/0`
      : `redis://localhost/0?path=${encodeURIComponent(socket)}`,
    socket,
    kill,
    async restart() {
      await kill();
      await rm(socket, { force: true });
      server = await launch();
    },
    freeze: () => void server.kill('SIGSTOP'),
    thaw: () => void server.kill('SIGCONT'),
    async stop() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A Redis that speaks TLS alone, on a port of the loopback, with a certificate made on the spot. */
export interface TlsRedisServer {
  readonly url: string;
  readonly port: number;
  /** PEM */
  readonly certificate: string;
  stop(): Promise<void>;
}

export async function startTlsRedis(): Promise<TlsRedisServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'portcullis-redis-'));
  const [key, certificate] = [path.join(folder, 'key.pem'), path.join(folder, 'certificate.pem')];
  const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const named = ['-subj', '/CN=redis', '-addext', 'subjectAltName=IP:127.0.0.1'];
  await execute('openssl', ['req', '-x509', ...made, ...named, '-keyout', key, '-out', certificate]);
  const port = String(await freePort());
  const files = ['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-auth-clients', 'no'];
  const server = await run(folder, ['--bind', '127.0.0.1', '--tls-port', port, ...files]);
  return {
    url: `rediss://127.0.0.1:${port}/0`,
    port: Number(port),
    certificate: await readFile(certificate, 'utf8'),
    async stop() {
      const exited = once(server, 'exit');
      server.kill('SIGKILL');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function run(
  folder: string,
  ears: readonly string[],
  command: readonly string[] = [],
): Promise<ChildProcess> {
  if (binary === undefined) throw new Error(redisMissing);
  const settings = ['--port', '0', ...ears, '--dir', folder, '--save', '', '--appendonly', 'no'];
  const [program = binary, ...before] = [...command, binary];
  const server = spawn(program, [...before, ...settings], { stdio: ['ignore', 'pipe', 'inherit'] });
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
