import type { ConfigSnapshot, GatewaySite } from '@portcullis/contract/link';
import type { GeneralSettings } from '@portcullis/contract/settings';
import { type AccessLists, type AddressSet, addressSetOf, compileAccessLists } from '../access/index.ts';
import { compileCors } from '../cors/index.ts';
import type { UpstreamRegistry } from '../forward/index.ts';
import type { HealthPlan } from '../health/index.ts';
import type { ConnectionLimits } from '../listener/index.ts';
import { RouteTable } from '../route/index.ts';
import type { ServedSite } from './served-site.ts';

/** One snapshot compiled: immutable, replaced whole between two requests. */
export interface Configuration {
  readonly snapshot: ConfigSnapshot;
  readonly routes: RouteTable<ServedSite>;
  readonly sites: readonly ServedSite[];
  readonly healthPlans: ReadonlyMap<string, HealthPlan>;
  readonly access: AccessLists;
  /** whose word about the client counts */
  readonly trustedProxies: AddressSet;
}

/** What compilation borrows from the running gateway, so that a reload keeps what is warm. */
export interface Workshop {
  readonly upstreams: UpstreamRegistry;
  /** what is in force now */
  readonly before: Configuration | undefined;
}

/**
 * Compiles a snapshot without touching what is in force.
 * @throws with a sentence that names the site, when something in it cannot be put in force
 */
export function compileConfiguration(snapshot: ConfigSnapshot, workshop: Workshop): Configuration {
  const routes = new RouteTable<ServedSite>();
  const sites: ServedSite[] = [];
  const healthPlans = new Map<string, HealthPlan>();
  for (const config of snapshot.sites) {
    if (!config.enabled) continue;
    const site = compileSite(config, snapshot, workshop);
    sites.push(site);
    for (const domain of config.domains) routes.add(domain, site);
    const plan = healthPlan(config, snapshot.general);
    if (plan) healthPlans.set(config.id, plan);
  }
  return {
    snapshot,
    routes,
    sites,
    healthPlans,
    access: compileAccessLists(snapshot.addressLists, workshop.before?.access),
    trustedProxies: addressSetOf(snapshot.security.trustedProxies),
  };
}

function compileSite(config: GatewaySite, snapshot: ConfigSnapshot, workshop: Workshop): ServedSite {
  try {
    const headersMs = snapshot.general.requestTimeout * 1000;
    const timeouts = { connectMs: Math.min(headersMs, 10_000), headersMs, bodyMs: 300_000 };
    return {
      config,
      upstream: workshop.upstreams.get(config.backend_url, timeouts),
      cors: compileCors(config.cors),
    };
  } catch (error) {
    throw new Error(`Site '${config.name}': ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** @returns undefined where the site or the installation has health checks switched off */
function healthPlan(config: GatewaySite, general: GeneralSettings): HealthPlan | undefined {
  const { healthCheck } = config;
  if (!general.healthChecksEnabled || !healthCheck.enabled) return undefined;
  return {
    origin: config.backend_url,
    host: config.domains.find((domain) => !domain.includes('*')),
    path: healthCheck.path,
    intervalMs: healthCheck.interval * 1000,
    timeoutMs: healthCheck.timeout * 1000,
  };
}

/**
 * @param general undefined before the first configuration
 */
export function connectionLimits(general: GeneralSettings | undefined): ConnectionLimits {
  return {
    maxConnections: general?.maxConnections ?? 10_000,
    headersTimeoutMs: 20_000,
    // The whole request with its body; an upload has this long.
    requestTimeoutMs: 300_000,
    keepAliveTimeoutMs: 65_000,
  };
}
