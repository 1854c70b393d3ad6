import type { StorageMigration } from './column-types.ts';

/**
 * What a version of the configuration touched, beside everything before and after it: a list of versions must not read
 * lists of a hundred thousand addresses. Versions of before have none, and are read whole.
 */
export const configurationHistory: StorageMigration = {
  name: '070-configuration-history',
  async up({ db }) {
    await db.schema.alterTable('config_versions').addColumn('touched', 'text').execute();
  },
};
