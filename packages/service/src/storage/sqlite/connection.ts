import { Worker } from 'node:worker_threads';
import type { DatabaseConnection, QueryResult } from 'kysely';
import { kindOfSqliteCode, StorageError } from '../storage-error.ts';
import type { Reply, SqlValue, WorkerOptions } from './protocol.ts';

interface Pending {
  readonly resolve: (reply: Extract<Reply, { rows: unknown[] }>) => void;
  readonly reject: (error: Error) => void;
}

/** One SQLite connection in a thread of its own. Statements run in the order in which they are given. */
export class SqliteConnection implements DatabaseConnection {
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  #nextId = 1;
  #ended: Error | undefined;

  constructor(options: WorkerOptions) {
    this.#worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: options });
    this.#worker.on('message', (reply: Reply) => this.#settle(reply));
    this.#worker.on('error', (error) => this.#end(error instanceof Error ? error : new Error(String(error))));
    this.#worker.on('exit', () => this.#end(new StorageError('unreachable', 'The database is closed')));
  }

  async executeQuery<R>(query: { sql: string; parameters: readonly unknown[] }): Promise<QueryResult<R>> {
    const reply = await this.#ask(query.sql, query.parameters.map(toSqlValue));
    return { rows: reply.rows as R[], numAffectedRows: BigInt(reply.changes) };
  }

  streamQuery(): never {
    throw new Error('SQLite results are read in pages, not streamed');
  }

  /** Finishes what was asked before, then closes the file. */
  async close(): Promise<void> {
    if (this.#ended) return;
    const exited = new Promise((resolve) => this.#worker.once('exit', resolve));
    this.#worker.postMessage('close');
    await exited;
  }

  #ask(sql: string, parameters: SqlValue[]): Promise<Extract<Reply, { rows: unknown[] }>> {
    if (this.#ended) return Promise.reject(this.#ended);
    const id = this.#nextId++;
    const { promise, resolve, reject } = Promise.withResolvers<Extract<Reply, { rows: unknown[] }>>();
    this.#pending.set(id, { resolve, reject });
    this.#worker.postMessage({ id, sql, parameters });
    return promise;
  }

  #settle(reply: Reply): void {
    const pending = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    if ('error' in reply) {
      pending?.reject(new StorageError(kindOfSqliteCode(reply.error.code), reply.error.message));
    } else pending?.resolve(reply);
  }

  #end(error: Error): void {
    this.#ended ??= error;
    for (const pending of this.#pending.values()) pending.reject(error);
    this.#pending.clear();
  }
}

function toSqlValue(value: unknown): SqlValue {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'number' || typeof value === 'string' || typeof value === 'bigint') return value;
  if (value instanceof Uint8Array) return value;
  throw new TypeError(`A ${typeof value} cannot be stored`);
}
