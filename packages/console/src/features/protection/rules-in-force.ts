import type { Ruleset } from '@portcullis/contract/protection';
import type { Site } from '@portcullis/contract/sites';

/**
 * How many rules decide about requests now: enabled ones of active sets on enabled sites.
 * @param sites those that the sets may belong to; a set of a site that is not among them counts, for nothing says that it is off
 */
export function rulesInForce(
  sets: readonly Ruleset[],
  sites: readonly Pick<Site, 'id' | 'enabled'>[],
): number {
  const off = new Set(sites.filter((site) => !site.enabled).map((site) => site.id));
  return sets
    .filter((set) => set.status === 'active' && !off.has(set.siteId ?? ''))
    .flatMap((set) => set.rules)
    .filter((rule) => rule.enabled && rule.status !== 'inactive').length;
}
