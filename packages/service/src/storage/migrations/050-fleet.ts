import type { StorageMigration } from './column-types.ts';

/** What gateways and services last said of themselves, so that one that is gone is missed by whoever starts later. */
export const fleet: StorageMigration = {
  name: '050-fleet',
  async up({ db }) {
    await db.schema
      .createTable('fleet_members')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('seen_at', 'bigint', (c) => c.notNull())
      .addColumn('body', 'text', (c) => c.notNull())
      .execute();
  },
};
