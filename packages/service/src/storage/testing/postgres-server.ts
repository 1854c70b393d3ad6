import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync } from 'node:fs';
import { appendFile, chown, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Where else than on a socket in its folder a server is reached. */
export interface PostgresPlace {
  /** what starts it as root, such as `nsenter` with a network of its own */
  readonly command: readonly string[];
  readonly address: string;
  /** who may ask, such as `198.18.0.0/24` */
  readonly clients: string;
}

/** A PostgreSQL of the test's own, reached by a socket in its folder alone unless a place says where. */
export interface PostgresServer {
  /** @param database name; created on first use */
  url(database: string): Promise<string>;
  /** reaches it by its socket, even where its network is cut */
  localUrl(database: string): string;
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

/**
 * Starts a server on a fresh folder; durability is off, for nothing of it is kept.
 * @param place where it also listens, on its usual port; absent: on a socket alone
 * @param disk folder of another file system that its tables are kept on, while its log stays elsewhere; absent: all
 * is kept together
 */
export async function startPostgres(place?: PostgresPlace, disk?: string): Promise<PostgresServer> {
  if (binFolder === undefined) throw new Error(postgresMissing);
  const user = await serverUser();
  const folder = await mkdtemp(path.join(tmpdir(), 'portcullis-pg-'));
  if (user.uid !== undefined && user.gid !== undefined) {
    for (const owned of disk === undefined ? [folder] : [folder, disk])
      await chown(owned, user.uid, user.gid);
  }
  const data = path.join(disk ?? folder, 'data');
  await makeCluster(data, user, disk === undefined ? undefined : path.join(folder, 'wal'));
  if (place) await appendFile(path.join(data, 'pg_hba.conf'), `host all all ${place.clients} trust\n`);
  const listen = `listen_addresses=${place?.address ?? ''}`;
  const settings = ['-D', data, '-k', folder, '-c', listen, '-c', 'fsync=off', '-c', 'shared_buffers=32MB'];
  const launch = async () => {
    const server = path.join(binFolder, 'postgres');
    const [program = server, ...before] = place ? [...place.command, ...asUser(user), server] : [server];
    const started = spawn(program, [...before, ...settings], {
      // Who enters a network does so as root, and becomes the user behind it.
      ...(place ? {} : user),
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
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
  const localUrl = (database: string) =>
    `postgres://portcullis@localhost/${database}?host=${encodeURIComponent(folder)}`;
  return {
    async url(database) {
      await psql(`create database ${database}`);
      return place ? `postgres://portcullis@${place.address}:5432/${database}` : localUrl(database);
    },
    localUrl,
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

/** What initdb made once, for later servers to begin with a copy: a tenth of the processor time. */
const made = path.join(
  import.meta.dirname,
  '../../../../../.cache/postgres',
  `${binFolder?.replaceAll(path.sep, '-')}-${process.getuid?.()}`,
);

/** @param log folder of its own for what it writes first; absent: it lies in the cluster */
async function makeCluster(data: string, user: { uid?: number }, log: string | undefined): Promise<void> {
  const keep = log === undefined;
  if (keep && existsSync(made)) {
    await run('cp', ['-a', made, data]);
    return;
  }
  const options = ['-U', 'portcullis', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  if (log !== undefined) options.push('-X', log);
  await run(path.join(binFolder ?? '', 'initdb'), ['-D', data, ...options], {
    ...user,
    cwd: path.dirname(data),
  });
  if (!keep) return;
  const copy = `${made}-${process.pid}`;
  await mkdir(path.dirname(made), { recursive: true });
  await run('cp', ['-a', data, copy]);
  // Who came second has made the same.
  await rename(copy, made).catch(() => rm(copy, { recursive: true }));
}

const asUser = ({ uid, gid }: { uid?: number; gid?: number }) =>
  uid === undefined ? [] : ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];

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
