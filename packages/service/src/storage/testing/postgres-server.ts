import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A PostgreSQL of the test's own, reached by a socket in its folder alone. */
export interface PostgresServer {
  /** @param database name; created on first use */
  url(database: string): Promise<string>;
  /** Ends it at once, every connection with it, and starts it again on what it had committed. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const binFolder = globSync('/usr/lib/postgresql/*/bin').sort().at(-1);

/** Why no server can be started here; undefined where one can. */
export const postgresMissing =
  binFolder === undefined ? 'PostgreSQL is not installed (/usr/lib/postgresql/*/bin)' : undefined;

/** PostgreSQL refuses to run as root, so root lends it an unprivileged user. */
async function serverUser(): Promise<{ uid?: number; gid?: number }> {
  if (process.getuid?.() !== 0) return {};
  const id = async (flag: string) => Number((await run('id', [flag, 'nobody'])).stdout);
  return { uid: await id('-u'), gid: await id('-g') };
}

/** Starts a server on a fresh folder; durability is off, for nothing of it is kept. */
export async function startPostgres(): Promise<PostgresServer> {
  if (binFolder === undefined) throw new Error(postgresMissing);
  const user = await serverUser();
  const folder = await mkdtemp(path.join(tmpdir(), 'portcullis-pg-'));
  if (user.uid !== undefined && user.gid !== undefined) await chown(folder, user.uid, user.gid);
  const data = path.join(folder, 'data');
  const initdb = ['-D', data, '-U', 'portcullis', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  await run(path.join(binFolder, 'initdb'), initdb, { ...user, cwd: folder });
  const launch = async () => {
    const started = spawn(
      path.join(binFolder, 'postgres'),
      ['-D', data, '-k', folder, '-c', 'listen_addresses=', '-c', 'fsync=off', '-c', 'shared_buffers=32MB'],
      { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    await ready(started);
    return started;
  };
  let server = await launch();
  const end = async () => {
    const exited = once(server, 'exit');
    // SIGQUIT is PostgreSQL's immediate shutdown.
    server.kill('SIGQUIT');
    await exited;
  };
  const psql = (sql: string) =>
    run(path.join(binFolder, 'psql'), ['-h', folder, '-U', 'portcullis', '-d', 'postgres', '-c', sql]);
  return {
    async url(database) {
      await psql(`create database ${database}`);
      return `postgres://portcullis@localhost/${database}?host=${encodeURIComponent(folder)}`;
    },
    async restart() {
      await end();
      server = await launch();
    },
    async stop() {
      await end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function ready(server: ChildProcess): Promise<void> {
  let said = '';
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.stderr?.on('data', (chunk) => {
    said += chunk;
    if (said.includes('database system is ready to accept connections')) resolve();
  });
  server.once('exit', (code) => reject(new Error(`postgres ended with ${code}: ${said}`)));
  await promise;
}
