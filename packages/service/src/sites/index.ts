export { type EnsuredSite, ensureSite } from './ensure.ts';
export { deleteSite as siteRemoved, SiteRepository } from './repository.ts';
export { restoreSite } from './restore.ts';
export { type RulesCopy, siteRoutes } from './routes.ts';
export { configOf, siteIssues } from './sites.ts';
export type { UpstreamSurroundings } from './upstream.ts';
