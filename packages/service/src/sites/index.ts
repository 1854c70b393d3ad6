export { type EnsuredSite, ensureSite } from './ensure.ts';
export { SiteRepository } from './repository.ts';
export { siteRoutes } from './routes.ts';
export type { UpstreamSurroundings } from './upstream.ts';
