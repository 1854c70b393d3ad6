import { type Kysely, sql } from 'kysely';
import { classOf, dayTableName, indexDayTable } from '../day-tables.ts';
import type { StorageMigration } from './column-types.ts';

/** Ends of the names of indexes that one over the events' classes does the work of. */
const replaced = ['site_id', 'level', 'decision', 'category', 'rule_id', 'site_category'];

/** Each day's events by class, in place of an index for each column. */
export const eventClasses: StorageMigration = {
  name: '060-event-classes',
  async up({ db, dialect }) {
    await db.schema
      .createTable('event_classes')
      .addColumn('day', 'integer', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('event_classes_key', ['day', 'name'])
      .execute();
    const days = await (db as Kysely<{ event_days: { day: number } }>)
      .selectFrom('event_days')
      .select('day')
      .execute();
    for (const { day } of days) {
      for (const end of replaced) {
        await sql`drop index if exists ${sql.ref(`${dayTableName(day)}_${end}`)}`.execute(db);
      }
      await indexDayTable(db, day, dialect);
      await sql`insert into event_classes (day, name)
        select distinct cast(${day} as integer), ${classOf(dialect)} from ${sql.table(dayTableName(day))}`.execute(
        db,
      );
    }
  },
};
