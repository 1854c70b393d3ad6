import {
  deriveHealth,
  type HealthLabel,
  type Metrics,
  type SiteMetrics,
} from '@portcullis/contract/monitoring';
import type { Site } from '@portcullis/contract/sites';
import type { GatewayRegistry } from '../gateways/index.ts';
import type { Db } from '../storage/index.ts';
import { readHours, readRecent, readTotals } from '../traffic/index.ts';

const hourMs = 3_600_000;
const hoursShown = 24;

export interface FigureParts {
  readonly read: Db;
  readonly gateways: GatewayRegistry;
  readonly now: () => number;
  /** since this service started */
  uptimeMs(): number;
  sites(): readonly Site[];
}

const round = (value: number) => Math.round(value * 100) / 100;

interface SiteSums {
  readonly requests: number;
  readonly blocked: number;
  readonly recent: { readonly requests: number; readonly errors: number; readonly durationMs: number };
}

function healthOf(healthy: boolean | undefined, uptime: number | undefined, errorRate: number): HealthLabel {
  return healthy === false ? 'critical' : deriveHealth(uptime, errorRate);
}

function siteMetrics(site: Site, sums: SiteSums, gateways: GatewayRegistry): SiteMetrics {
  const { recent } = sums;
  const health = gateways.health(site.id);
  const errorRate = recent.requests === 0 ? 0 : round((recent.errors / recent.requests) * 100);
  return {
    site_id: site.id,
    name: site.name,
    domains: site.domains,
    requests: sums.requests,
    blocked: sums.blocked,
    qps: gateways.requestsPerSecond(site.id),
    avg_response_time: recent.requests === 0 ? 0 : round(recent.durationMs / recent.requests),
    errorRate,
    health: healthOf(health?.healthy, health?.uptime, errorRate),
    ...(health?.uptime !== undefined && { uptime: health.uptime }),
  };
}

/**
 * The dashboard's figures: totals of all time from storage, rates and connections as the gateways report them,
 * response time and error rate over the last hour.
 */
export async function readMetrics(parts: FigureParts): Promise<Metrics> {
  const { read, gateways, now } = parts;
  const [totals, recent] = await Promise.all([readTotals(read), readRecent(read, now() - hourMs)]);
  const totalOf = new Map(totals.map((row) => [row.site_id, row]));
  const recentOf = new Map(recent.map((row) => [row.site_id, row]));
  const sum = (rows: readonly { requests: number; blocked: number; duration_ms: number }[]) => ({
    requests: rows.reduce((all, row) => all + row.requests, 0),
    blocked: rows.reduce((all, row) => all + row.blocked, 0),
    durationMs: rows.reduce((all, row) => all + row.duration_ms, 0),
  });
  const everything = sum(totals);
  const lately = sum(recent);
  const sites = parts.sites().map((site) => {
    const ever = totalOf.get(site.id);
    const late = recentOf.get(site.id);
    const sums = {
      requests: ever?.requests ?? 0,
      blocked: ever?.blocked ?? 0,
      recent: {
        requests: late?.requests ?? 0,
        errors: late?.status_5xx ?? 0,
        durationMs: late?.duration_ms ?? 0,
      },
    };
    return siteMetrics(site, sums, gateways);
  });
  return {
    totalRequests: everything.requests,
    blockedRequests: everything.blocked,
    qps: gateways.requestsPerSecond(),
    // Not by the clock, which may be set.
    uptime: Math.floor(parts.uptimeMs() / 1000),
    activeConnections: gateways.activeConnections(),
    avgResponseTime: lately.requests === 0 ? 0 : round(lately.durationMs / lately.requests),
    sites,
  };
}

/** The last 24 hours, the running one last; an hour without traffic stands with zeros. */
export async function readHourlyTraffic(parts: Pick<FigureParts, 'read' | 'now'>) {
  const newest = Math.floor(parts.now() / hourMs) * hourMs;
  const oldest = newest - (hoursShown - 1) * hourMs;
  const rows = new Map((await readHours(parts.read, oldest)).map((row) => [row.time, row]));
  const hourly = Array.from({ length: hoursShown }, (_, index) => {
    const time = oldest + index * hourMs;
    const row = rows.get(time);
    return { time: new Date(time).toISOString(), requests: row?.requests ?? 0, blocked: row?.blocked ?? 0 };
  });
  return { hourly };
}
