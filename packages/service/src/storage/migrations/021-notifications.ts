import type { StorageMigration } from './column-types.ts';

/** Messages to people: what waits to be sent, and what became of it. */
export const notifications: StorageMigration = {
  name: '021-notifications',
  async up({ db }) {
    await db.schema
      .createTable('notifications')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('time', 'bigint', (c) => c.notNull())
      .addColumn('event', 'text', (c) => c.notNull())
      .addColumn('channel', 'text', (c) => c.notNull())
      .addColumn('topic', 'text', (c) => c.notNull())
      .addColumn('subject', 'text', (c) => c.notNull())
      .addColumn('lines', 'text', (c) => c.notNull())
      .addColumn('occurrences', 'integer', (c) => c.notNull().defaultTo(1))
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('next_at', 'bigint')
      .addColumn('summary_id', 'text')
      .addColumn('error', 'text')
      .execute();
    await db.schema
      .createIndex('notifications_due')
      .on('notifications')
      .columns(['status', 'next_at'])
      .execute();
    await db.schema.createIndex('notifications_time').on('notifications').columns(['time', 'id']).execute();
    await db.schema
      .createIndex('notifications_topic')
      .on('notifications')
      .columns(['topic', 'channel', 'time'])
      .execute();
  },
};
