import { type Site, SiteCreate } from '@portcullis/contract/sites';
import type { Selectable } from 'kysely';
import type { Db, SitesTable, Trx } from '../storage/index.ts';

/** A site with who saved it last, for conflicts. */
export interface StoredSite {
  readonly site: Site;
  readonly updatedBy: string;
}

function siteOfRow(row: Selectable<SitesTable>): Site {
  return {
    ...SiteCreate.parse(JSON.parse(row.config)),
    id: row.id,
    version: row.version,
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
  };
}

/**
 * Reads sites, keeping each parsed version: an installation with a thousand sites parses only what changed.
 */
export class SiteRepository {
  readonly #parsed = new Map<string, StoredSite & { readonly text: string }>();

  /** All sites, oldest first. */
  async all(db: Db | Trx): Promise<Site[]> {
    const rows = await db.selectFrom('sites').selectAll().orderBy('created_at').orderBy('id').execute();
    const present = new Set(rows.map((row) => row.id));
    for (const id of this.#parsed.keys()) if (!present.has(id)) this.#parsed.delete(id);
    return rows.map((row) => this.#read(row).site);
  }

  async find(db: Db | Trx, id: string): Promise<StoredSite | undefined> {
    const row = await db.selectFrom('sites').selectAll().where('id', '=', id).executeTakeFirst();
    return row && this.#read(row);
  }

  #read(row: Selectable<SitesTable>): StoredSite {
    const known = this.#parsed.get(row.id);
    // The text is compared, not the version: a commit that failed may have left its version here.
    if (known?.text === row.config && known.site.version === row.version) return known;
    const stored = { site: siteOfRow(row), updatedBy: row.updated_by, text: row.config };
    this.#parsed.set(row.id, stored);
    return stored;
  }
}

/** @returns the name of another site that has one of the domains, with the domain */
export async function domainOwner(
  trx: Trx,
  domains: readonly string[],
  exceptSiteId: string,
): Promise<{ domain: string; site: string } | undefined> {
  return trx
    .selectFrom('site_domains')
    .innerJoin('sites', 'sites.id', 'site_domains.site_id')
    .select(['site_domains.domain as domain', 'sites.name as site'])
    .where('site_domains.domain', 'in', [...domains])
    .where('site_domains.site_id', '!=', exceptSiteId)
    .orderBy('site_domains.position')
    .executeTakeFirst();
}

/** Stores a site and its domains in place of what was there. */
export async function saveSite(trx: Trx, site: Site, updatedBy: string): Promise<void> {
  const { id, version, created_at, updated_at, ...config } = site;
  const row = {
    id,
    name: site.name,
    config: JSON.stringify(config),
    version,
    created_at: Date.parse(created_at),
    updated_at: Date.parse(updated_at),
    updated_by: updatedBy,
  };
  await trx
    .insertInto('sites')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
  await trx.deleteFrom('site_domains').where('site_id', '=', id).execute();
  await trx
    .insertInto('site_domains')
    .values(site.domains.map((domain, position) => ({ domain, site_id: id, position })))
    .execute();
}

export async function deleteSite(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('sites').where('id', '=', id).execute();
}
