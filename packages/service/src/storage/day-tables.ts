import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type StorageDialect, sequenceType } from './migrations/column-types.ts';
import type { EventsTable } from './schema.ts';

/** @param day UTC, as YYYYMMDD. @returns the name of the table that holds its events */
export const dayTableName = (day: number) => `events_${day}`;

/** What an event's class is made of, in this order: few values each, and few combinations that occur. */
export const classColumns = ['site_id', 'level', 'decision', 'category', 'rule_id'] as const;
export type ClassColumn = (typeof classColumns)[number];

/** Between the parts of a class. A site's id, a level, a decision and a category are without it, and a rule's id is last. */
export const classSeparator = '|';

/** @returns the class of an event's row, as {@link classOf} makes it */
export function classKey(row: Pick<EventsTable, ClassColumn>): string {
  return classColumns.map((name) => row[name] ?? '').join(classSeparator);
}

/**
 * An event's class as SQL: what stands in the columns that most events have in common with others. Any filter over
 * these columns is a list of classes, so one index answers every combination of them. An index for each column finds
 * a busy site's rare level only by reading all of the site's events.
 */
export function classOf(dialect: StorageDialect): RawBuilder<string> {
  const parts = classColumns.map((name) => sql`coalesce(${sql.ref(name)}, '')`);
  const key = sql<string>`(${sql.join(parts, sql.raw(` || '${classSeparator}' || `))})`;
  // Compared byte by byte, whatever the language of the database.
  return dialect === 'postgres' ? sql<string>`${key} collate "C"` : key;
}

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

/** The indexes of a day's table by the end of their names, each with the time so that a page is one walk. */
const indexes: Readonly<Record<string, (dialect: StorageDialect) => RawBuilder<unknown>>> = {
  time: () => sql`time, seq`,
  class: (dialect) => sql`(${classOf(dialect)}), time, seq`,
  client_ip: () => sql`client_ip, time, seq`,
  client_class: (dialect) => sql`client_ip, (${classOf(dialect)}), time, seq`,
  // With the order in it as well: while it has no statistics of a young table, PostgreSQL walked the whole day by time.
  request: () => sql`request_id, time, seq`,
};

/** Makes a day's indexes where they are missing: at once with the table, or after many rows were put into it. */
export async function indexDayTable(
  db: Kysely<unknown>,
  day: number,
  dialect: StorageDialect,
): Promise<void> {
  const name = dayTableName(day);
  for (const [end, columns] of Object.entries(indexes)) {
    await sql`create index if not exists ${sql.ref(`${name}_${end}`)}
      on ${sql.table(name)} (${columns(dialect)})`.execute(db);
  }
}
