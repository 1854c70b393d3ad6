import type { StorageMigration } from './column-types.ts';

/** Clients that gateways serve nothing for a while, and which of those bans were lifted. */
export const bans: StorageMigration = {
  name: '092-bans',
  async up({ db }) {
    await db.schema
      .createTable('bans')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('address', 'text', (c) => c.notNull())
      .addColumn('client_ip', 'text', (c) => c.notNull())
      .addColumn('site_id', 'text')
      .addColumn('reason', 'text', (c) => c.notNull())
      .addColumn('since', 'bigint', (c) => c.notNull())
      .addColumn('ends_at', 'bigint', (c) => c.notNull())
      .addColumn('lifted_at', 'bigint')
      .execute();
    await db.schema.createIndex('bans_by_end').on('bans').column('ends_at').execute();
    await db.schema.createIndex('bans_by_address').on('bans').column('address').execute();
  },
};
