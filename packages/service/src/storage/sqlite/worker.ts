// Runs one SQLite connection. node:sqlite blocks its thread, so the service never calls it on the main one.
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { Reply, Statement, WorkerOptions } from './protocol.ts';

const statementsKept = 256;
const { file, readOnly } = workerData as WorkerOptions;

function open(): DatabaseSync {
  const database = new DatabaseSync(file, { readOnly, timeout: 5000 });
  // FULL: what was acknowledged survives a power cut too, not only a killed process.
  if (!readOnly) database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  database.exec('PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -32768');
  return database;
}

const prepared = new Map<string, StatementSync>();

function prepare(database: DatabaseSync, sql: string): StatementSync {
  const known = prepared.get(sql);
  if (known) {
    prepared.delete(sql);
    prepared.set(sql, known);
    return known;
  }
  const statement = database.prepare(sql);
  prepared.set(sql, statement);
  const oldest = prepared.keys().next().value;
  if (prepared.size > statementsKept && oldest !== undefined) prepared.delete(oldest);
  return statement;
}

function run(database: DatabaseSync, { id, sql, parameters }: Statement): Reply {
  const statement = prepare(database, sql);
  if (statement.columns().length > 0) return { id, rows: statement.all(...parameters), changes: 0 };
  return { id, rows: [], changes: Number(statement.run(...parameters).changes) };
}

function describe(error: unknown): { message: string; code: number } {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0;
  return { message, code };
}

let database: DatabaseSync | undefined;
parentPort?.on('message', (statement: Statement | 'close') => {
  if (statement === 'close') {
    database?.close();
    parentPort?.close();
    return;
  }
  try {
    database ??= open();
    parentPort?.postMessage(run(database, statement));
  } catch (error) {
    parentPort?.postMessage({ id: statement.id, error: describe(error) } satisfies Reply);
  }
});
