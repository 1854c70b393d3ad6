import { inWords } from '@portcullis/contract/configuration';
import type { AdminActionCode } from '@portcullis/contract/events';
import {
  alignHealthSwitches,
  patchSite,
  type Site,
  SiteCreate,
  type SiteUpdate,
} from '@portcullis/contract/sites';
import {
  type Author,
  type Change,
  type ConfigurationWork,
  type EntityChange,
  staleVersion,
} from '../configuration/index.ts';
import { issuesOf } from '../http/index.ts';
import { newId } from '../identity.ts';
import { failure, invalid, type Outcome, success } from '../outcome.ts';
import { readSettings } from '../settings/index.ts';
import type { Trx } from '../storage/index.ts';
import { deleteSite, domainOwner, type SiteRepository, saveSite } from './repository.ts';
import { changedFields, configOf, siteIssues } from './sites.ts';
import type { UpstreamSurroundings } from './upstream.ts';

/** Stores a site that its schema accepted, if its upstream and domains are right. */
async function store(
  trx: Trx,
  site: Site,
  author: Author,
  around: UpstreamSurroundings,
): Promise<Outcome<Site>> {
  const issues = siteIssues(configOf(site), around);
  if (issues.length > 0) return invalid(issues);
  const owner = await domainOwner(trx, site.domains, site.id);
  if (owner) {
    const path = `domains.${site.domains.indexOf(owner.domain)}`;
    const message = `The site "${owner.site}" already has the domain ${owner.domain}`;
    return failure('domain_taken', { message, issues: [{ path, message }] });
  }
  await saveSite(trx, site, author.email);
  return success(site);
}

/** A new site that does not say how often its upstreams are asked begins with what the general settings say. */
async function withInterval(trx: Trx, config: SiteCreate, sent: unknown): Promise<SiteCreate> {
  const { healthCheck } = sent as { healthCheck?: { interval?: unknown } };
  if (healthCheck?.interval !== undefined) return config;
  const { healthCheckInterval: interval } = await readSettings(trx, 'general');
  return { ...config, healthCheck: { ...config.healthCheck, interval } };
}

type AddRules = (trx: Trx, siteId: string, now: number) => Promise<EntityChange[] | undefined>;

/**
 * A new site from what the schema accepted.
 * @param sent the body before defaults, since of two names of one switch the one that was sent counts
 * @param addRules gives the new site the rules of another, and tells them; undefined where that is not there
 */
export function creation(
  body: SiteCreate,
  sent: unknown,
  author: Author,
  around: UpstreamSurroundings,
  addRules: AddRules = async () => [],
): ConfigurationWork<Site> {
  return async (trx, now) => {
    const time = new Date(now).toISOString();
    const config = await withInterval(
      trx,
      SiteCreate.parse(alignHealthSwitches({ ...body }, { ...(sent as object) })),
      sent,
    );
    const site: Site = { ...config, id: newId('site'), version: 1, created_at: time, updated_at: time };
    const stored = await store(trx, site, author, around);
    if (!stored.ok) return stored;
    const rules = await addRules(trx, site.id, now);
    if (rules === undefined) return invalid([{ path: 'query.rules_of', message: 'There is no such site' }]);
    const change = told('site.create', `Site "${site.name}" was added`, site, null, site);
    return success({ ...change, changes: [...change.changes, ...rules] });
  };
}

/** A patch over a stored site. A stale version is refused with who changed the site last, and what is stored. */
export function update(
  sites: SiteRepository,
  id: string,
  patch: SiteUpdate,
  author: Author,
  around: UpstreamSurroundings,
): ConfigurationWork<Site> {
  return async (trx, now) => {
    const found = await sites.find(trx, id);
    if (!found) return failure('not_found');
    const before = found.site;
    const { version, updated_at } = before;
    const versioned = {
      kind: 'site',
      id,
      version,
      updatedBy: found.updatedBy,
      updatedAt: Date.parse(updated_at),
    };
    const stale = await staleVersion(trx, versioned, patch.version);
    if (stale) return stale;
    const parsed = patchSite(before, patch);
    if (!parsed.success) return invalid(issuesOf(parsed.error));
    const fields = changedFields(configOf(before), parsed.data);
    const site: Site = {
      ...parsed.data,
      id,
      version: before.version + 1,
      created_at: before.created_at,
      updated_at: new Date(now).toISOString(),
    };
    const stored = await store(trx, site, author, around);
    if (!stored.ok) return stored;
    const change = told(
      'site.update',
      `Site "${site.name}" was changed: ${inWords(fields)}`,
      site,
      before,
      site,
    );
    return success(fields.length > 0 ? change : { ...change, value: before, same: true });
  };
}

/**
 * Takes a site out of service and storage; its events and figures stay.
 * @param removeDependents takes out what belongs to the site, and tells what it was
 */
export function removal(
  sites: SiteRepository,
  id: string,
  removeDependents: (trx: Trx, siteId: string) => Promise<EntityChange[]>,
): ConfigurationWork<undefined> {
  return async (trx) => {
    const found = await sites.find(trx, id);
    if (!found) return failure('not_found');
    const dependents = await removeDependents(trx, id);
    await deleteSite(trx, id);
    const { site } = found;
    const change = told('site.delete', `Site "${site.name}" was deleted`, site, site, null);
    return success({ ...change, value: undefined, changes: [...change.changes, ...dependents] });
  };
}

function told(
  action: AdminActionCode,
  reason: string,
  site: Site,
  before: Site | null,
  after: Site | null,
): Change<Site> {
  const changes = [{ kind: 'site', id: site.id, name: site.name, before, after }];
  return { value: site, action, reason, siteId: site.id, changes };
}
