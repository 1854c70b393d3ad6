import { z } from 'zod';

/** One site's figures. Everything but the id is tolerated missing from other servers. */
export const SiteMetrics = z.object({
  site_id: z.string(),
  name: z.string().optional(),
  domains: z.array(z.string()).optional(),
  requests: z.number(),
  blocked: z.number(),
  qps: z.number().default(0),
  /** milliseconds */
  avg_response_time: z.number().default(0),
  /** percent of health checks that passed; absent while none ran */
  uptime: z.number().optional(),
  /** percent of responses with a 5xx status */
  errorRate: z.number().optional(),
  health: z.string().optional(),
});
export type SiteMetrics = z.infer<typeof SiteMetrics>;

export const Metrics = z.object({
  /** all time, surviving restarts */
  totalRequests: z.number(),
  blockedRequests: z.number(),
  qps: z.number(),
  /** seconds since the service started */
  uptime: z.number(),
  activeConnections: z.number(),
  /** milliseconds */
  avgResponseTime: z.number(),
  sites: z.array(SiteMetrics).default([]),
});
export type Metrics = z.infer<typeof Metrics>;

export const ThreatEvent = z.object({ type: z.string(), action: z.string() });
export type ThreatEvent = z.infer<typeof ThreatEvent>;

export const MetricsQuery = z.object({
  type: z.literal('threats').optional(),
  siteId: z.string().max(64).optional(),
});

export const HourlyTraffic = z.object({
  hourly: z.array(
    z.object({
      /** start of the hour, ISO 8601 in UTC */
      time: z.string(),
      requests: z.number(),
      blocked: z.number(),
    }),
  ),
});
export type HourlyTraffic = z.infer<typeof HourlyTraffic>;

/** blocked ÷ total × 100, rounded to 2 decimals; 0 without requests. */
export function blockRate(blocked: number, total: number): number {
  return total === 0 ? 0 : Math.round((blocked / total) * 10_000) / 100;
}
