import type { Issue } from '@portcullis/contract/api';
import type { Site, SiteCreate } from '@portcullis/contract/sites';
import { type UpstreamSurroundings, upstreamIssue } from './upstream.ts';

/** What must hold of a site beyond its schema. @returns all issues, empty where it may be stored */
export function siteIssues(site: SiteCreate, around: UpstreamSurroundings): Issue[] {
  const issues: Issue[] = [];
  const seen = new Set<string>();
  for (const [index, domain] of site.domains.entries()) {
    if (seen.has(domain)) issues.push({ path: `domains.${index}`, message: 'This domain stands here twice' });
    seen.add(domain);
  }
  const upstream = upstreamIssue(site.backend_url, site.domains, around);
  if (upstream) issues.push(upstream);
  for (const [index, { url }] of site.upstream.further.entries()) {
    const further = upstreamIssue(url, site.domains, around);
    if (further) issues.push({ ...further, path: `upstream.further.${index}.url` });
  }
  return issues;
}

/** Names the fields that differ, so that a history line can say what a change touched. */
export function changedFields(before: SiteCreate, after: SiteCreate): string[] {
  const names = Object.keys(after) as (keyof SiteCreate)[];
  return names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}

/** The stored configuration of a site without what storage adds. */
export function configOf(site: Site): SiteCreate {
  const { id, version, created_at, updated_at, ...config } = site;
  return config;
}
