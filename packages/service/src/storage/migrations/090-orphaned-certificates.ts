import { sql } from 'kysely';
import type { StorageMigration } from './column-types.ts';

/**
 * Certificates and challenges of sites that were deleted while the authority worked, which earlier releases stored all
 * the same: gateways got them, and no call could take them out.
 */
export const orphanedCertificates: StorageMigration = {
  name: '090-orphaned-certificates',
  async up({ db }) {
    await sql`delete from config_objects where kind in ('certificate', 'acme_challenge')
      and not exists (select 1 from sites where sites.id = config_objects.parent_id)`.execute(db);
  },
};
