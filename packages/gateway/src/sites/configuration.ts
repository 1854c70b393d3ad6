import { isDeepStrictEqual } from 'node:util';
import type { ConfigSnapshot, GatewayGeneral, GatewaySite } from '@portcullis/contract/link';
import { GeneralSettings } from '@portcullis/contract/settings';
import { type AccessLists, type AddressSet, addressSetOf, compileAccessLists } from '../access/index.ts';
import { type ChallengePolicy, compileChallengePolicy, KeyRing } from '../challenge/index.ts';
import { compileCors } from '../cors/index.ts';
import { Member, type Upstream, UpstreamGroup, type UpstreamRegistry } from '../forward/index.ts';
import { type HealthPlan, healthKeyOf } from '../health/index.ts';
import type { PolicyCache } from '../inspect/index.ts';
import { type LimitRegistry, siteLimits } from '../limits/index.ts';
import type { ConnectionLimits } from '../listener/index.ts';
import type { SiteCounters } from '../report/index.ts';
import { RouteTable } from '../route/index.ts';
import type { Steps } from '../steps.ts';
import { type CertificateStore, compileCertificates } from '../tls/index.ts';
import type { ServedSite } from './served-site.ts';

/** One snapshot compiled: immutable, replaced whole between two requests. */
export interface Configuration {
  readonly snapshot: ConfigSnapshot;
  readonly routes: RouteTable<ServedSite>;
  readonly sites: ReadonlyMap<string, ServedSite>;
  /** all that a site forwards to */
  readonly upstreams: ReadonlySet<Upstream>;
  /** by {@link healthKeyOf} */
  readonly healthPlans: ReadonlyMap<string, HealthPlan>;
  readonly access: AccessLists;
  /** whose word about the client counts */
  readonly trustedProxies: AddressSet;
  readonly certificates: CertificateStore;
  /** signs challenge passes */
  readonly keyRing: KeyRing;
  /** what tells requests that gateways with the same keys forwarded */
  readonly loopProof: string;
  /** key authorizations by token */
  readonly acmeAnswers: ReadonlyMap<string, string>;
}

/** What compilation borrows from the running gateway, so that a reload keeps what is warm. */
export interface Workshop {
  readonly upstreams: UpstreamRegistry;
  readonly policies: PolicyCache;
  readonly limits: LimitRegistry;
  readonly countersOf: (siteId: string) => SiteCounters;
  /** what is in force now */
  readonly before: Configuration | undefined;
}

/**
 * Compiles a snapshot without touching what is in force.
 * @throws with a sentence that names the site, when something in it cannot be put in force
 */
export function* compileConfiguration(snapshot: ConfigSnapshot, workshop: Workshop): Steps<Configuration> {
  workshop.limits.begin();
  const routes = new RouteTable<ServedSite>();
  const sites = new Map<string, ServedSite>();
  const upstreams = new Set<Upstream>();
  const healthPlans = new Map<string, HealthPlan>();
  // Sites for any host lend their certificate to clients that name nobody.
  const open = new Set<string>();
  const challenges = new Map<string, ChallengePolicy>();
  const around = sameAround(workshop.before?.snapshot, snapshot);
  // Whatever touches each of ten thousand sites is done here, where requests go first.
  for (const config of snapshot.sites) {
    if (!config.enabled) continue;
    const known = workshop.before?.sites.get(config.id);
    const same = around && known?.config === config;
    const site = same
      ? keepSite(known, workshop)
      : yield* compileSite(config, snapshot, workshop, { known, challenges });
    sites.set(config.id, site);
    for (const domain of config.domains) routes.add(domain, site);
    if (config.domains.includes('*')) open.add(config.id);
    for (const { upstream } of site.upstreams.members) upstreams.add(upstream);
    for (const plan of site.healthPlans) healthPlans.set(healthKeyOf(plan), plan);
    yield;
  }
  const { certificates } = snapshot;
  const keyRing = keyRingOf(snapshot, workshop.before);
  return {
    snapshot,
    routes,
    sites,
    upstreams,
    healthPlans,
    access: yield* compileAccessLists(snapshot.addressLists, workshop.before?.access),
    trustedProxies: addressSetOf(snapshot.security.trustedProxies),
    certificates: yield* compileCertificates(certificates, open, workshop.before?.certificates),
    keyRing,
    loopProof: keyRing.sign('loop', []),
    acmeAnswers: new Map(snapshot.acmeChallenges.map((one) => [one.token, one.keyAuthorization])),
  };
}

/** @returns whether what a site is compiled with, beside itself, is the same */
const sameAround = (a: ConfigSnapshot | undefined, b: ConfigSnapshot) =>
  isDeepStrictEqual([a?.general, a?.security], [b.general, b.security]);

/** A ring that made a key of its own keeps it, else every reload would void the passes given so far. */
function keyRingOf({ secrets }: ConfigSnapshot, before: Configuration | undefined): KeyRing {
  const same = before && isDeepStrictEqual(before.snapshot.secrets.challengeKeys, secrets.challengeKeys);
  return same ? before.keyRing : new KeyRing(secrets.challengeKeys);
}

/** A site that did not change goes over as it is. */
function keepSite(site: ServedSite, { limits, policies }: Workshop): ServedSite {
  site.limits?.keepIn(limits);
  if (site.policy) policies.keep(site.policy);
  return site;
}

/**
 * @param known the same site as it is in force
 * @param challenges what other sites of the snapshot ask for
 */
function* compileSite(
  config: GatewaySite,
  snapshot: ConfigSnapshot,
  workshop: Workshop,
  { known, challenges }: { known: ServedSite | undefined; challenges: Map<string, ChallengePolicy> },
): Steps<ServedSite> {
  try {
    const general = workshop.before?.snapshot.general;
    const sameTimes = general !== undefined && isDeepStrictEqual(timesOf(general), timesOf(snapshot.general));
    // Kept where nothing changed, and with it what is known of who is alive.
    const before = known && sameTimes && sameUpstreams(known.config, config) ? known.upstreams : undefined;
    const upstreams = before ?? compileUpstreams(config, snapshot.general, workshop.upstreams);
    return {
      id: config.id,
      counters: workshop.countersOf(config.id),
      upstreams,
      watchOnly: config.watch_only,
      maintenance: config.maintenance,
      limits: siteLimits(config, snapshot.security, workshop.limits),
      policy: yield* workshop.policies.policyOf(config),
      challenge: challengeOf(config, challenges),
      customRuleIds: config.rules.length === 0 ? noRules : new Set(config.rules.map((rule) => rule.id)),
      cors: compileCors(config.cors),
      ssl: config.ssl.enabled ? config.ssl : undefined,
      responseMode: config.response_mode,
      pages: config.pages,
      failureModes: config.failure_modes,
      accessLog: config.access_log.format === 'off' ? undefined : config.access_log.format,
      responseInspection: responseInspectionOf(config),
      rewriteHost: config.upstream.host_header === 'upstream',
      config,
      healthPlans: healthPlansOf(config, upstreams, snapshot.general),
    };
  } catch (error) {
    throw new Error(`Site '${config.name}': ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** What is only watched is looked into without holding anything back. */
function responseInspectionOf({ response_inspection: inspection, watch_only }: GatewaySite) {
  if (inspection.mode === 'off' || inspection.kinds.length === 0) return undefined;
  return watch_only ? { ...inspection, mode: 'log' as const } : inspection;
}

/** Sites that ask alike share one, so that a request finds it in the processor's cache. */
function challengeOf(config: GatewaySite, known: Map<string, ChallengePolicy>): ChallengePolicy {
  const { bot_protection, security_level, protection_config } = config;
  const { bot_fight_mode, captcha_challenge, js_challenge } = protection_config;
  const asked = [bot_protection, security_level, bot_fight_mode, captcha_challenge, js_challenge];
  const key = JSON.stringify(asked);
  const policy = known.get(key) ?? compileChallengePolicy(config);
  known.set(key, policy);
  return policy;
}

const noRules: ReadonlySet<string> = new Set();

const sameUpstreams = (a: GatewaySite, b: GatewaySite) =>
  a.backend_url === b.backend_url && isDeepStrictEqual(a.upstream, b.upstream);

/** How long an upstream is waited for, in milliseconds. */
function timesOf({ requestTimeout, connectTimeout, idleTimeout }: GatewayGeneral) {
  const headersMs = requestTimeout * 1000;
  // Event streams are quiet for long; an upstream that died within its answer is noticed by then.
  return { headersMs, connectMs: Math.min(headersMs, connectTimeout * 1000), bodyMs: idleTimeout * 1000 };
}

function compileUpstreams(
  { backend_url: url, upstream }: GatewaySite,
  general: GatewayGeneral,
  registry: UpstreamRegistry,
): UpstreamGroup {
  const options = {
    ...timesOf(general),
    verifyTls: upstream.verify_tls,
    ca: upstream.ca,
  };
  const all = [{ url, weight: upstream.weight, standby: false }, ...upstream.further];
  return new UpstreamGroup(
    all.map((one) => new Member(registry.get(one.url, options), one.weight, one.standby)),
    upstream.affinity === 'address',
  );
}

function healthPlansOf(site: GatewaySite, upstreams: UpstreamGroup, general: GatewayGeneral): HealthPlan[] {
  const { healthCheck, id, domains, upstream } = site;
  if (!general.healthChecksEnabled || !healthCheck.enabled) return [];
  return upstreams.members.map((member) => ({
    siteId: id,
    origin: member.upstream.origin,
    host: upstream.host_header === 'client' ? domains.find((domain) => !domain.includes('*')) : undefined,
    path: healthCheck.path,
    intervalMs: healthCheck.interval * 1000,
    timeoutMs: healthCheck.timeout * 1000,
    verifyTls: upstream.verify_tls,
    ca: upstream.ca,
  }));
}

/** What a client is given, and later than what an upstream is, so that it hears of an upstream that is silent. */
const marginSeconds = 30;

/** @param general undefined before the first configuration */
export function connectionLimits(general: GatewayGeneral = GeneralSettings.parse({})): ConnectionLimits {
  const { headerTimeout, bodyTimeout, idleTimeout, requestTimeout, keepAliveTimeout } = general;
  return {
    maxConnections: general.maxConnections,
    headersTimeoutMs: headerTimeout * 1000,
    // Node's is for the head and the body together.
    requestTimeoutMs: (headerTimeout + bodyTimeout) * 1000,
    keepAliveTimeoutMs: keepAliveTimeout * 1000,
    idleTimeoutMs: (Math.max(idleTimeout, requestTimeout) + marginSeconds) * 1000,
  };
}
