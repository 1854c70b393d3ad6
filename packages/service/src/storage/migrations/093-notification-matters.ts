import type { StorageMigration } from './column-types.ts';

/** How grave a message is, which site it is about and where the console shows that. */
export const notificationMatters: StorageMigration = {
  name: '093-notification-matters',
  async up({ db }) {
    await db.schema
      .alterTable('notifications')
      .addColumn('level', 'text', (c) => c.notNull().defaultTo('info'))
      .execute();
    for (const column of ['site_id', 'site_name', 'path']) {
      await db.schema.alterTable('notifications').addColumn(column, 'text').execute();
    }
  },
};
