import type { StorageMigration } from './column-types.ts';

/** What only one service at a time may do, and which one does it now. */
export const leases: StorageMigration = {
  name: '040-leases',
  async up({ db }) {
    await db.schema
      .createTable('leases')
      .addColumn('name', 'text', (c) => c.primaryKey())
      .addColumn('holder', 'text', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .execute();
  },
};
