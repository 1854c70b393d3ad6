import { type Kysely, sql } from 'kysely';
import { type EventsTable, type Storage, sequenceType, type Trx } from '../storage/index.ts';

/**
 * Events lie in a table for each UTC day, so that retention drops whole days instead of deleting rows. The name
 * stands for {@link EventsTable} in queries.
 */
export type DayTable = 'events_of_day';

/** @param time Unix milliseconds. @returns the UTC day as YYYYMMDD */
export function dayOf(time: number): number {
  const date = new Date(time);
  return date.getUTCFullYear() * 10_000 + (date.getUTCMonth() + 1) * 100 + date.getUTCDate();
}

/** @returns the table of a day, typed as every day's table */
export function dayTable(day: number): DayTable {
  return `events_${day}` as DayTable;
}

/** What an operator filters by, each with the time so that a page of the newest is one walk of an index. */
const indexed = [
  'site_id',
  'level',
  'decision',
  'category',
  'rule_id',
  'client_ip',
] as const satisfies (keyof EventsTable)[];

async function createDayTable(db: Kysely<unknown>, day: number, dialect: Storage['dialect']): Promise<void> {
  const name = `events_${day}`;
  await db.schema
    .createTable(name)
    .ifNotExists()
    .addColumn('seq', sequenceType(dialect) as never)
    .addColumn('id', 'text', (c) => c.notNull().unique())
    .addColumn('time', 'bigint', (c) => c.notNull())
    .addColumn('level', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('decision', 'text', (c) => c.notNull())
    .addColumn('site_id', 'text')
    .addColumn('category', 'text')
    .addColumn('rule_id', 'text')
    .addColumn('client_ip', 'text', (c) => c.notNull())
    .addColumn('host', 'text', (c) => c.notNull())
    .addColumn('path', 'text', (c) => c.notNull())
    .addColumn('method', 'text', (c) => c.notNull())
    .addColumn('status', 'integer', (c) => c.notNull())
    .addColumn('request_id', 'text', (c) => c.notNull())
    .addColumn('count', 'integer', (c) => c.notNull())
    .addColumn('body', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex(`${name}_time`).ifNotExists().on(name).columns(['time', 'seq']).execute();
  for (const column of indexed) {
    const columns = [column, 'time', 'seq'];
    await db.schema.createIndex(`${name}_${column}`).ifNotExists().on(name).columns(columns).execute();
  }
  // One site's log filtered by category, newest first, is the console's usual question.
  await db.schema
    .createIndex(`${name}_site_category`)
    .ifNotExists()
    .on(name)
    .columns(['site_id', 'category', 'time', 'seq'])
    .execute();
  await db.schema.createIndex(`${name}_request`).ifNotExists().on(name).column('request_id').execute();
}

/** Makes a day's table where it is missing. The day's row is written first: it holds other writers off meanwhile. */
export async function ensureDay(trx: Trx, day: number, dialect: Storage['dialect']): Promise<void> {
  const inserted = await trx
    .insertInto('event_days')
    .values({ day, entries: 0, bytes: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows === 0n) return;
  await createDayTable(trx as unknown as Kysely<unknown>, day, dialect);
}

/** Drops a day and all its events. */
export async function dropDay(trx: Trx, day: number): Promise<void> {
  await sql`drop table if exists ${sql.table(`events_${day}`)}`.execute(trx);
  await trx.deleteFrom('event_days').where('day', '=', day).execute();
}
