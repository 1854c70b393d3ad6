import { type Kysely, sql } from 'kysely';
import { createDayTable, dayTableName, indexDayTable, type Storage, type Trx } from '../storage/index.ts';

/**
 * Events lie in a table for each UTC day, so that retention drops whole days instead of deleting rows. The name
 * stands for the storage's EventsTable in queries.
 */
export type DayTable = 'events_of_day';

/** @param time Unix milliseconds. @returns the UTC day as YYYYMMDD */
export function dayOf(time: number): number {
  const date = new Date(time);
  return date.getUTCFullYear() * 10_000 + (date.getUTCMonth() + 1) * 100 + date.getUTCDate();
}

/** @param day UTC as YYYYMMDD. @returns its first millisecond, Unix */
export function startOfDay(day: number): number {
  return Date.UTC(Math.floor(day / 10_000), (Math.floor(day / 100) % 100) - 1, day % 100);
}

/** @returns the table of a day, typed as every day's table */
export function dayTable(day: number): DayTable {
  return dayTableName(day) as DayTable;
}

/** Makes a day's table where it is missing. The day's row is written first: it holds other writers off meanwhile. */
export async function ensureDay(trx: Trx, day: number, dialect: Storage['dialect']): Promise<void> {
  const inserted = await trx
    .insertInto('event_days')
    .values({ day, entries: 0, bytes: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows === 0n) return;
  const db = trx as unknown as Kysely<unknown>;
  await createDayTable(db, day, dialect);
  await indexDayTable(db, day, dialect);
}

/** Drops a day and all its events. */
export async function dropDay(trx: Trx, day: number): Promise<void> {
  await sql`drop table if exists ${sql.table(dayTableName(day))}`.execute(trx);
  await trx.deleteFrom('event_classes').where('day', '=', day).execute();
  await trx.deleteFrom('event_days').where('day', '=', day).execute();
}
