import { z } from 'zod';
import { DrawnPage, PagePreview, SecurityLevelUpdate, Site, SiteCreate, SiteUpdate } from '../sites/index.ts';
import { endpoint } from './endpoint.ts';

/** `rules_of`: a site whose rulesets and rules the new one gets copies of; needs `rule:create` too. */
const NewSiteQuery = z.object({ rules_of: z.string().max(64).optional() });

const params = z.object({ id: z.string().max(64) });

export const siteEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/sites',
    access: { anyOf: ['site:view'] },
    summary: 'All protected sites',
    response: z.array(Site),
  }),
  create: endpoint({
    method: 'POST',
    path: '/sites',
    access: { anyOf: ['site:create'] },
    summary: 'Adds a site; fields left out get their defaults',
    query: NewSiteQuery,
    body: SiteCreate,
    response: Site,
  }),
  get: endpoint({
    method: 'GET',
    path: '/sites/{id}',
    access: { anyOf: ['site:view'] },
    summary: 'One site',
    params,
    response: Site,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/sites/{id}',
    access: { anyOf: ['site:update'] },
    summary: 'Changes a site; fields left out keep their value, a stale version is refused',
    params,
    body: SiteUpdate,
    response: Site,
  }),
  updateSecurityLevel: endpoint({
    method: 'PUT',
    path: '/sites/{id}/security-level',
    access: { anyOf: ['rule:update'] },
    summary: 'Sets the security level of a site',
    params,
    body: SecurityLevelUpdate,
    response: Site,
  }),
  previewPage: endpoint({
    method: 'POST',
    path: '/sites/pages/preview',
    access: { anyOf: ['site:view'] },
    summary: 'A page of the gateway in the wording that is sent, which need not be saved',
    body: PagePreview,
    response: DrawnPage,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/sites/{id}',
    access: { anyOf: ['site:delete'] },
    summary: 'Deletes a site',
    params,
  }),
} as const;
