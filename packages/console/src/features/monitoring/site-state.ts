import type { SiteMetrics } from '@portcullis/contract/monitoring';
import type { Site } from '@portcullis/contract/sites';

/** What monitoring says of a site. */
export type SiteState = 'healthy' | 'down' | 'disabled';

/** Healthy: enabled, and without figures or with the health 'healthy'. */
export function siteState(site: Site, metrics: SiteMetrics | undefined): SiteState {
  if (!site.enabled) return 'disabled';
  return metrics?.health === undefined || metrics.health === 'healthy' ? 'healthy' : 'down';
}
