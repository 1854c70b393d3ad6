import { type CreateTableBuilder, type Kysely, type RawBuilder, sql } from 'kysely';

export type StorageDialect = 'sqlite' | 'postgres';

/** What a migration is handed; `unknown` because the tables are what it makes. */
export interface MigrationContext {
  readonly db: Kysely<unknown>;
  readonly dialect: StorageDialect;
}

/** One step forward. Never changed once released; a later step corrects. */
export interface StorageMigration {
  /** sorts in order of application */
  readonly name: string;
  up(context: MigrationContext): Promise<void>;
}

/** A counter that the database hands out, rising with each row. */
export function sequenceType(dialect: StorageDialect): RawBuilder<unknown> {
  return dialect === 'sqlite'
    ? sql`integer primary key autoincrement`
    : sql`bigint generated always as identity primary key`;
}

/** Requests by latency, a column for each bucket of the contract's `latencyBucketsMs` and the open one. */
export const latencyColumns = [
  'latency_0',
  'latency_1',
  'latency_2',
  'latency_3',
  'latency_4',
  'latency_5',
  'latency_6',
  'latency_7',
  'latency_8',
  'latency_9',
  'latency_10',
  'latency_11',
  'latency_12',
  'latency_13',
] as const;

/** The columns of the traffic tables, all of which are added up. */
export const sumColumns = [
  'requests',
  'blocked',
  'challenged',
  'status_1xx',
  'status_2xx',
  'status_3xx',
  'status_4xx',
  'status_5xx',
  'bytes_in',
  'bytes_out',
  'duration_ms',
  ...latencyColumns,
] as const;
export type SumColumn = (typeof sumColumns)[number];

/** Adds {@link sumColumns} to a table under construction. */
export function withSums<Table extends string, Columns extends string>(
  table: CreateTableBuilder<Table, Columns>,
): CreateTableBuilder<Table, Columns> {
  let built = table;
  for (const column of sumColumns) {
    built = built.addColumn(column as Columns, 'bigint', (c) => c.notNull().defaultTo(0));
  }
  return built;
}
