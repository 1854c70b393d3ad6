import { SiteCreate } from '@portcullis/contract/sites';
import type { Configuration } from '../configuration/index.ts';
import { creation, update } from './changes.ts';
import type { SiteRepository } from './repository.ts';
import type { UpstreamSurroundings } from './upstream.ts';

/** A site that the one who starts the service wants to be there, such as the demo's. */
export interface EnsuredSite {
  readonly name: string;
  readonly domain: string;
  readonly backendUrl: string;
}

/**
 * Creates the site, or points the one that has the domain at the upstream; all else an operator chose stays.
 * @throws Error when the site cannot be stored, since its fields come from our own code
 */
export async function ensureSite(
  configuration: Configuration,
  sites: SiteRepository,
  wanted: EnsuredSite,
  around: UpstreamSurroundings,
): Promise<void> {
  const author = { email: 'system', ip: '' };
  const present = configuration.current().sites.find((site) => site.domains.includes(wanted.domain));
  if (present?.backend_url === wanted.backendUrl) return;
  const fields = { name: wanted.name, domains: [wanted.domain], backend_url: wanted.backendUrl };
  const outcome = await configuration.change(
    author,
    present
      ? update(sites, present.id, { backend_url: wanted.backendUrl }, author, around)
      : creation(SiteCreate.parse(fields), fields, author, around),
  );
  if (!outcome.ok) throw new Error(`The site ${wanted.name} cannot be stored: ${outcome.code}`);
}
