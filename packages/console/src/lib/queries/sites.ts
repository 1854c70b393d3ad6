import { siteEndpoints } from '@portcullis/contract/api';
import type { Site } from '@portcullis/contract/sites';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/index.ts';

/** All protected sites, shared by every screen that names one. */
export const sitesQuery = queryOptions({
  queryKey: ['sites'],
  queryFn: ({ signal }): Promise<Site[]> => call(siteEndpoints.list, {}, signal),
});

/** How a site is called in lists: its first domain, else its name. */
export function siteLabel(site: {
  domains?: readonly string[] | undefined;
  name?: string | undefined;
}): string {
  return site.domains?.[0] ?? site.name ?? '';
}
