import { z } from 'zod';
import { Facet } from '../events/index.ts';

/** How far back charts look, and how much time one of their points covers. In seconds. */
export const windows = {
  '15m': { seconds: 900, step: 60 },
  '1h': { seconds: 3600, step: 60 },
  '6h': { seconds: 21_600, step: 300 },
  '24h': { seconds: 86_400, step: 3600 },
  '7d': { seconds: 604_800, step: 3600 },
  '30d': { seconds: 2_592_000, step: 21_600 },
} as const satisfies Record<string, { seconds: number; step: number }>;
export type WindowName = keyof typeof windows;
export const windowNames = Object.keys(windows) as [WindowName, ...WindowName[]];

export const WindowQuery = z.object({
  window: z.enum(windowNames).default('1h'),
  /** absent: all sites and the hosts of none */
  siteId: z.string().max(64).optional(),
});
export type WindowQuery = z.infer<typeof WindowQuery>;

const count = z.number().int();

const span = {
  /** ISO 8601 in UTC: start of the first point, and the end of the last, which is still being counted */
  from: z.string(),
  to: z.string(),
  /** seconds that one point covers */
  step: z.number().int(),
};

/** Milliseconds that a share of the requests stayed below; null while there were none. */
export const Percentiles = z.object({
  p50: z.number().nullable(),
  p90: z.number().nullable(),
  p95: z.number().nullable(),
  p99: z.number().nullable(),
});
export type Percentiles = z.infer<typeof Percentiles>;

/** How long requests took from the first byte to the last, upstream included. */
export const LatencyFigures = Percentiles.extend({
  ...span,
  requests: count,
  /** over all requests of the window, oldest bucket bound first; the last `le` is null: no bound */
  buckets: z.array(z.object({ le: z.number().nullable(), requests: count })),
  /** one for each step, oldest first, also where nothing happened */
  points: z.array(Percentiles.extend({ time: z.string(), requests: count })),
});
export type LatencyFigures = z.infer<typeof LatencyFigures>;

/** What came and how it was answered. `statuses` by class; `passed` is what was neither blocked nor challenged. */
export const TrafficSums = z.object({
  requests: count,
  passed: count,
  blocked: count,
  challenged: count,
  statuses: z.object({ '1xx': count, '2xx': count, '3xx': count, '4xx': count, '5xx': count }),
  bytesIn: count,
  bytesOut: count,
});
export type TrafficSums = z.infer<typeof TrafficSums>;

export const TrafficBreakdown = TrafficSums.extend({
  ...span,
  /** one for each step, oldest first, also where nothing happened */
  points: z.array(TrafficSums.extend({ time: z.string() })),
  /** blocked and challenged requests that the rankings below are counted over: the newest of the window */
  sampled: count,
  categories: z.array(Facet),
  rules: z.array(Facet),
  /** client addresses */
  attackers: z.array(Facet),
  /** paths without their query */
  targets: z.array(Facet),
  /** site ids */
  sites: z.array(Facet),
});
export type TrafficBreakdown = z.infer<typeof TrafficBreakdown>;
