import { type RawBuilder, sql } from 'kysely';
import type { EventsTable, Storage, Trx } from '../storage/index.ts';

/** A row of a day's table as it is written. */
export type EventRow = Omit<EventsTable, 'seq'>;

/** Each column with PostgreSQL's type. */
const columns = {
  id: 'text',
  time: 'bigint',
  level: 'text',
  kind: 'text',
  decision: 'text',
  site_id: 'text',
  category: 'text',
  rule_id: 'text',
  client_ip: 'text',
  host: 'text',
  path: 'text',
  method: 'text',
  status: 'integer',
  request_id: 'text',
  count: 'integer',
  body: 'text',
} as const satisfies Record<keyof EventRow, string>;
const names = Object.keys(columns) as (keyof EventRow)[];

/** One array a column: sixteen parameters however many rows there are. */
function fromArrays(rows: readonly EventRow[]): RawBuilder<unknown> {
  const arrays = names.map((name) => sql`${rows.map((row) => row[name])}::${sql.raw(columns[name])}[]`);
  return sql`select * from unnest(${sql.join(arrays)})`;
}

/** One JSON text for all rows, since SQLite has no arrays. */
function fromJson(rows: readonly EventRow[]): RawBuilder<unknown> {
  const text = JSON.stringify(rows.map((row) => names.map((name) => row[name])));
  const values = names.map((_name, index) => sql`value->>${sql.raw(String(index))}`);
  // "where true" keeps SQLite from reading the conflict clause as that of a join.
  return sql`select ${sql.join(values)} from json_each(${text}) where true`;
}

/**
 * Inserts rows in one statement. A statement with a parameter for each value would be built, parsed and planned anew
 * for thousands of them, which costs more than the insert.
 * @param table of one day
 * @returns the ids that were not there before
 */
export async function insertRows(
  trx: Trx,
  table: string,
  rows: readonly EventRow[],
  dialect: Storage['dialect'],
): Promise<Set<string>> {
  const source = dialect === 'postgres' ? fromArrays(rows) : fromJson(rows);
  const { rows: inserted } = await sql<{ id: string }>`
    insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})
    ${source} on conflict (id) do nothing returning id`.execute(trx);
  return new Set(inserted.map(({ id }) => id));
}
