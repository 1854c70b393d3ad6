import type { StorageMigration } from './column-types.ts';

/** Conditions that asked for attention, with their times. */
export const alerts: StorageMigration = {
  name: '030-alerts',
  async up({ db }) {
    await db.schema
      .createTable('alerts')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('key', 'text', (c) => c.notNull())
      .addColumn('type', 'text', (c) => c.notNull())
      .addColumn('message', 'text', (c) => c.notNull())
      .addColumn('site_id', 'text')
      .addColumn('started_at', 'bigint', (c) => c.notNull())
      .addColumn('ended_at', 'bigint')
      .execute();
    await db.schema.createIndex('alerts_started').on('alerts').column('started_at').execute();
  },
};
