import { sql } from 'kysely';
import type { Db, Trx } from '../connect.ts';
import type { StorageDialect } from '../migrations/index.ts';
import type { TablePlan } from './plan.ts';
import type { Row } from './read-rows.ts';

/** Writes a batch in one statement with one parameter, with the counted columns as they were. */
export async function writeRows(
  db: Db | Trx,
  dialect: StorageDialect,
  table: TablePlan,
  rows: readonly Row[],
): Promise<void> {
  const name = sql.table(table.name);
  const columns = sql.join(table.columns.map((column) => sql.ref(column)));
  if (dialect === 'postgres') {
    await sql`insert into ${name} (${columns}) overriding system value
      select ${columns} from json_populate_recordset(null::${name}, ${JSON.stringify(rows)}::json)`.execute(
      db,
    );
    return;
  }
  const values = sql.join(table.columns.map((_column, index) => sql`value->>${sql.raw(String(index))}`));
  const text = JSON.stringify(rows.map((row) => table.columns.map((column) => row[column])));
  await sql`insert into ${name} (${columns}) select ${values} from json_each(${text})`.execute(db);
}

/** @returns the highest number that a counted column ever gave out, of rows that are gone too; 0 where none */
export async function readCounter(db: Db | Trx, dialect: StorageDialect, table: TablePlan): Promise<number> {
  const query =
    dialect === 'postgres'
      ? sql<{ n: number | null }>`
          select pg_sequence_last_value(pg_get_serial_sequence(${table.name}, ${table.counted})::regclass) as n`
      : sql<{ n: number | null }>`select max(seq) as n from sqlite_sequence where name = ${table.name}`;
  return (await query.execute(db)).rows[0]?.n ?? 0;
}

/** Lets a counted column go on after `last`, so that no number is given out a second time. */
export async function writeCounter(
  db: Db | Trx,
  dialect: StorageDialect,
  table: TablePlan,
  last: number,
): Promise<void> {
  if (last === 0) return;
  if (dialect === 'postgres') {
    await sql`select setval(pg_get_serial_sequence(${table.name}, ${table.counted}), ${last})`.execute(db);
    return;
  }
  await sql`delete from sqlite_sequence where name = ${table.name}`.execute(db);
  await sql`insert into sqlite_sequence (name, seq) values (${table.name}, ${last})`.execute(db);
}
