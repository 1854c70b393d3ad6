import type { StorageMigration } from './column-types.ts';

/**
 * Long lists in pieces, so that a change of one entry does not write a million of them again. Lists of before stand in
 * their object's `config` until they are saved: a service of the version before, which still runs, goes on to read them.
 */
export const configurationPieces: StorageMigration = {
  name: '080-configuration-pieces',
  async up({ db }) {
    await db.schema
      .createTable('config_pieces')
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('field', 'text', (c) => c.notNull())
      .addColumn('id', 'text', (c) => c.notNull())
      .addColumn('entries', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('config_pieces_key', ['owner', 'field', 'id'])
      .execute();
  },
};
