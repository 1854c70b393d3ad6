import type { GatewayReport } from '@portcullis/contract/link';

/** Gateways report every second; one that is silent for this long is gone. */
const goneAfterMs = 10_000;

/** Rates are taken over this time, so that a single second does not make the figure jump. */
const rateWindowMs = 10_000;

interface Sample {
  readonly at: number;
  readonly report: GatewayReport;
}

/** A site's upstreams as all gateways see them. */
export interface SiteHealth {
  /** false when every upstream of the site is down on some gateway */
  readonly healthy: boolean;
  /** percent of checks that passed since the gateways started; undefined while none ran */
  readonly uptime: number | undefined;
  readonly reason: string | undefined;
}

type Upstreams = GatewayReport['upstreams'];

/** What a gateway last said of each site's upstreams. */
interface KnownUpstreams {
  /** which run of the gateway said so */
  readonly startedAt: string;
  readonly bySite: Map<string, Upstreams>;
}

/** What the gateways that are alive say of themselves. */
export class GatewayRegistry {
  readonly #samples = new Map<string, Sample[]>();
  readonly #upstreams = new Map<string, KnownUpstreams>();
  readonly #now: () => number;

  /** @param now monotonic milliseconds: a clock that is set must neither lose the living nor keep the dead */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  add(report: GatewayReport): void {
    const at = this.#now();
    if (report.leaving) {
      this.#forget(report.gatewayId);
      return;
    }
    this.#take(report);
    const before = this.#samples.get(report.gatewayId) ?? [];
    const kept = before.filter((sample) => sample.at > at - rateWindowMs);
    this.#samples.set(report.gatewayId, [...kept, { at, report }]);
  }

  /** The newest report of each gateway that is alive. */
  alive(): GatewayReport[] {
    return this.#alive().flatMap((samples) => samples.at(-1)?.report ?? []);
  }

  /** Which gateways refused a version of the configuration, and why. */
  refusalsOf(version: number): { gateway: string; reason: string }[] {
    return this.alive().flatMap(({ gatewayId, refused }) =>
      refused?.version === version ? [{ gateway: gatewayId, reason: refused.reason }] : [],
    );
  }

  activeConnections(): number {
    return this.alive().reduce((sum, report) => sum + report.activeConnections, 0);
  }

  /** @param siteId absent: over all. @returns requests a second over the last ten seconds */
  requestsPerSecond(siteId?: string): number {
    let rate = 0;
    for (const samples of this.#alive()) {
      const seconds = samples.reduce((sum, { report }) => sum + report.intervalMs, 0) / 1000;
      const requests = samples.reduce((sum, { report }) => sum + requestsOf(report, siteId), 0);
      if (seconds > 0) rate += requests / seconds;
    }
    return Math.round(rate * 100) / 100;
  }

  /** @returns undefined while no gateway checks an upstream of the site */
  health(siteId: string): SiteHealth | undefined {
    const views = this.alive()
      .map(({ gatewayId }) => this.#upstreams.get(gatewayId)?.bySite.get(siteId) ?? [])
      .filter((upstreams) => upstreams.length > 0);
    if (views.length === 0) return undefined;
    const all = views.flat();
    const passed = all.reduce((sum, upstream) => sum + upstream.checksPassed, 0);
    const run = all.reduce((sum, upstream) => sum + upstream.checksFailed, passed);
    return {
      healthy: views.every((upstreams) => upstreams.some((upstream) => upstream.healthy)),
      uptime: run === 0 ? undefined : Math.round((passed / run) * 10_000) / 100,
      reason: all.find((upstream) => !upstream.healthy)?.reason,
    };
  }

  /** @returns every upstream as each gateway that is alive last saw it */
  upstreams(): Upstreams {
    return this.alive().flatMap(({ gatewayId }) =>
      [...(this.#upstreams.get(gatewayId)?.bySite.values() ?? [])].flat(),
    );
  }

  /** Takes up what a report says of upstreams: of all sites, or of some, and the others are as they were. */
  #take({ gatewayId, startedAt, upstreams, upstreamsOf }: GatewayReport): void {
    const told = Map.groupBy(upstreams, ({ siteId }) => siteId);
    const known = this.#upstreams.get(gatewayId);
    if (upstreamsOf === undefined || known?.startedAt !== startedAt) {
      this.#upstreams.set(gatewayId, { startedAt, bySite: told });
      return;
    }
    for (const siteId of upstreamsOf) {
      const ofSite = told.get(siteId);
      if (ofSite) known.bySite.set(siteId, ofSite);
      else known.bySite.delete(siteId);
    }
  }

  #forget(gatewayId: string): void {
    this.#samples.delete(gatewayId);
    this.#upstreams.delete(gatewayId);
  }

  #alive(): Sample[][] {
    const oldest = this.#now() - goneAfterMs;
    for (const [id, samples] of this.#samples) {
      if ((samples.at(-1)?.at ?? oldest) <= oldest) this.#forget(id);
    }
    return [...this.#samples.values()];
  }
}

function requestsOf(report: GatewayReport, siteId: string | undefined): number {
  if (siteId === undefined) return report.requests;
  return requestsBySite(report).get(siteId) ?? 0;
}

const known = new WeakMap<GatewayReport, ReadonlyMap<string, number>>();

/** Sorted out once a report, and only where somebody asks: a list of ten thousand sites asks for each of them. */
function requestsBySite(report: GatewayReport): ReadonlyMap<string, number> {
  const sorted =
    known.get(report) ?? new Map(report.perSite.map(({ siteId, requests }) => [siteId, requests]));
  known.set(report, sorted);
  return sorted;
}
