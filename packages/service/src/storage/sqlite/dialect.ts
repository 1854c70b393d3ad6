import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type TransactionSettings,
} from 'kysely';
import { StorageError } from '../storage-error.ts';
import { SqliteConnection } from './connection.ts';
import type { WorkerOptions } from './protocol.ts';

/** SQLite through node:sqlite in a worker thread. A writer's transactions run one after another. */
export class SqliteThreadDialect implements Dialect {
  readonly #options: WorkerOptions;

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  createDriver(): Driver {
    return this.#options.readOnly ? new ReadingDriver(this.#options) : new WritingDriver(this.#options);
  }

  createQueryCompiler() {
    return new SqliteQueryCompiler();
  }

  createAdapter() {
    return new TransactionalSqliteAdapter();
  }

  createIntrospector(db: Kysely<unknown>) {
    return new SqliteIntrospector(db);
  }
}

/** SQLite's DDL is transactional, so a migration that fails half way leaves nothing behind. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** Reads need no turn: each is one statement on a snapshot of its own. */
class ReadingDriver implements Driver {
  readonly #options: WorkerOptions;
  #connection: SqliteConnection | undefined;

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  async init(): Promise<void> {
    this.#connection = new SqliteConnection(this.#options);
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    if (!this.#connection) throw new Error('The database is not open');
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {}

  async beginTransaction(connection: DatabaseConnection, _settings: TransactionSettings): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin'));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await connection.executeQuery(CompiledQuery.raw('rollback'));
    } catch (error) {
      // A full disk or a failed write has already rolled all back: what was thrown then is what went wrong.
      // @see sqlite.org/lang_transaction.html, "Response To Errors Within A Transaction"
      if (!(error instanceof StorageError && /no transaction is active/.test(error.message))) throw error;
    }
  }

  async destroy(): Promise<void> {
    await this.#connection?.close();
  }
}

/** One writer: who wants the connection waits for the transaction before. */
class WritingDriver extends ReadingDriver {
  #last: Promise<void> = Promise.resolve();
  #release: (() => void) | undefined;

  override async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    await before;
    this.#release = resolve;
    return super.acquireConnection();
  }

  override async releaseConnection(): Promise<void> {
    this.#release?.();
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    // IMMEDIATE takes the write lock at once, so a transaction cannot fail with SQLITE_BUSY half way.
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
}
