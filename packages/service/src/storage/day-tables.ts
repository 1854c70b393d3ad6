import type { Kysely } from 'kysely';
import { type StorageDialect, sequenceType } from './migrations/index.ts';
import type { EventsTable } from './schema.ts';

/** @param day UTC, as YYYYMMDD. @returns the name of the table that holds its events */
export const dayTableName = (day: number) => `events_${day}`;

/** What an operator filters by, each with the time so that a page of the newest is one walk of an index. */
const indexed = [
  'site_id',
  'level',
  'decision',
  'category',
  'rule_id',
  'client_ip',
] as const satisfies (keyof EventsTable)[];

/** Makes the table of a day where it is missing, without its indexes. */
export async function createDayTable(
  db: Kysely<unknown>,
  day: number,
  dialect: StorageDialect,
): Promise<void> {
  const name = dayTableName(day);
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
}

/** Makes a day's indexes where they are missing: at once with the table, or after many rows were put into it. */
export async function indexDayTable(db: Kysely<unknown>, day: number): Promise<void> {
  const name = dayTableName(day);
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
  // With the order in it as well: while it has no statistics of a young table, PostgreSQL walked the whole day by time.
  await db.schema
    .createIndex(`${name}_request`)
    .ifNotExists()
    .on(name)
    .columns(['request_id', 'time', 'seq'])
    .execute();
}
