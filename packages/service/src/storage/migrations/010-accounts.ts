import type { StorageMigration } from './column-types.ts';

/** API tokens, and sessions that may do nothing before 2FA is set up. */
export const accounts: StorageMigration = {
  name: '010-accounts',
  async up({ db }) {
    await db.schema
      .alterTable('sessions')
      .addColumn('totp_setup', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
    await db.schema
      .createTable('api_tokens')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('permissions', 'text', (c) => c.notNull())
      .addColumn('prefix', 'text', (c) => c.notNull())
      .addColumn('hash', 'text', (c) => c.notNull().unique())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('expires_at', 'bigint')
      .addColumn('last_used_at', 'bigint')
      .execute();
    await db.schema.createIndex('api_tokens_of_user').on('api_tokens').column('user_id').execute();
  },
};
