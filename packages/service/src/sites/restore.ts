import { type Site, SiteCreate } from '@portcullis/contract/sites';
import type { Author } from '../configuration/index.ts';
import { issuesOf } from '../http/index.ts';
import { failure, invalid, type Outcome, success } from '../outcome.ts';
import type { Trx } from '../storage/index.ts';
import { domainOwner, saveSite } from './repository.ts';

/**
 * Stores a site as it stood in an earlier version of the configuration; fields that the product has learnt since
 * get their defaults.
 * @param presentVersion of the site as it stands now, 0 where it is gone
 */
export async function restoreSite(
  trx: Trx,
  stood: Site,
  presentVersion: number,
  author: Author,
  now: number,
): Promise<Outcome<Site>> {
  const parsed = SiteCreate.safeParse(stood);
  if (!parsed.success) return invalid(issuesOf(parsed.error));
  const owner = await domainOwner(trx, stood.domains, stood.id);
  if (owner) {
    return failure('domain_taken', {
      message: `The site "${owner.site}" has the domain ${owner.domain} that "${stood.name}" had`,
    });
  }
  const site: Site = {
    ...parsed.data,
    id: stood.id,
    version: Math.max(stood.version, presentVersion) + 1,
    created_at: stood.created_at,
    updated_at: new Date(now).toISOString(),
  };
  await saveSite(trx, site, author.email);
  return success(site);
}
