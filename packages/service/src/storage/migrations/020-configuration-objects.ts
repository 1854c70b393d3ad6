import type { StorageMigration } from './column-types.ts';

/** Rulesets, rules and address lists, each one JSON object with its place and version. */
export const configurationObjects: StorageMigration = {
  name: '020-configuration-objects',
  async up({ db }) {
    await db.schema
      .createTable('config_objects')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('parent_id', 'text')
      .addColumn('config', 'text', (c) => c.notNull())
      .addColumn('version', 'integer', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .addColumn('updated_by', 'text', (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex('config_objects_parent')
      .on('config_objects')
      .columns(['kind', 'parent_id'])
      .execute();
  },
};
