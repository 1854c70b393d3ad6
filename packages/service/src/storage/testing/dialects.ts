import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { StorageMigration } from '../migrations/index.ts';
import { openStorage, type Storage } from '../storage.ts';
import { type PostgresServer, postgresMissing, startPostgres } from './postgres-server.ts';

/** A database engine that repository tests run on. */
export interface TestDialect {
  readonly name: 'sqlite' | 'postgres';
  /** why its tests are skipped here; undefined: they run */
  readonly missing: string | undefined;
  /** an empty database of its own, migrated; closed and removed by `close` */
  open(migrations?: readonly StorageMigration[]): Promise<TestStorage>;
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

/** Both engines: `for (const dialect of testDialects()) describe.skipIf(dialect.missing)(…)`. */
export function testDialects(): readonly TestDialect[] {
  let server: Promise<PostgresServer> | undefined;
  let databases = 0;
  return [
    {
      name: 'sqlite',
      missing: undefined,
      open: (migrations) => openIn(undefined, migrations),
      stop: async () => {},
    },
    {
      name: 'postgres',
      missing: postgresMissing,
      async open(migrations) {
        server ??= startPostgres();
        databases += 1;
        return openIn(await (await server).url(`test_${databases}`), migrations);
      },
      async stop() {
        await (await server)?.stop();
      },
    },
  ];
}
