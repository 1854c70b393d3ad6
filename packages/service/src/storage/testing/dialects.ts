import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Storage } from '../connect.ts';
import type { StorageMigration } from '../migrations/index.ts';
import { openStorage } from '../storage.ts';
import { type PostgresServer, postgresMissing, startPostgres } from './postgres-server.ts';

/** A database engine that repository tests run on. */
export interface TestDialect {
  readonly name: 'sqlite' | 'postgres';
  /** why its tests are skipped here; undefined: they run */
  readonly missing: string | undefined;
  /** an empty database of its own, migrated; closed and removed by `close` */
  open(migrations?: readonly StorageMigration[]): Promise<TestStorage>;
  /** an empty database for a whole service; undefined: SQLite in the service's own data folder */
  databaseUrl(): Promise<string | undefined>;
  /** ends what the dialect started; for afterAll */
  stop(): Promise<void>;
}

export interface TestStorage extends Storage {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
}

async function openIn(databaseUrl: string | undefined, migrations?: readonly StorageMigration[]) {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'portcullis-data-'));
  const storage = await openStorage({ dataDir, databaseUrl, ...(migrations && { migrations }) });
  return {
    ...storage,
    dataDir,
    databaseUrl,
    async close() {
      await storage.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL alone, started with the first database that is asked for. */
export function postgresDialect(): TestDialect {
  let server: Promise<PostgresServer> | undefined;
  let databases = 0;
  const fresh = async () => {
    server ??= startPostgres();
    databases += 1;
    const name = `test_${databases}`;
    return (await server).url(name);
  };
  return {
    name: 'postgres',
    missing: postgresMissing,
    open: async (migrations) => openIn(await fresh(), migrations),
    databaseUrl: fresh,
    async stop() {
      await (await server)?.stop();
    },
  };
}

/** Both engines: `for (const dialect of testDialects()) describe.skipIf(dialect.missing)(…)`. */
export function testDialects(): readonly TestDialect[] {
  return [
    {
      name: 'sqlite',
      missing: undefined,
      open: (migrations) => openIn(undefined, migrations),
      databaseUrl: async () => undefined,
      stop: async () => {},
    },
    postgresDialect(),
  ];
}
