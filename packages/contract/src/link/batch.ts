import { z } from 'zod';
import { Ban } from '../access/index.ts';
import { SecurityEvent } from '../events/index.ts';
import { linkMismatch } from './version.ts';

const count = z.number().int().min(0);

/** Upper bounds of the latency buckets in milliseconds; the last bucket is open. */
export const latencyBucketsMs = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000] as const;

/** What one gateway counted on one site in one minute since its last batch: increments, never totals. */
export const Counters = z.object({
  /** absent for hosts that no site names */
  siteId: z.string().max(64).optional(),
  /** Unix time in milliseconds, on a whole minute */
  minute: z.number().int(),
  requests: count,
  blocked: count,
  challenged: count,
  /** responses by class: 1xx … 5xx */
  statuses: z.tuple([count, count, count, count, count]),
  bytesIn: count,
  bytesOut: count,
  /** sum over all requests, from the first byte to the last */
  durationMs: z.number().min(0),
  /** requests per latency bucket, one longer than {@link latencyBucketsMs} */
  latency: z.array(count).length(latencyBucketsMs.length + 1),
});
export type Counters = z.infer<typeof Counters>;

/** Bans that one batch may tell of. */
export const maxBansInBatch = 5000;

/** Events and counters of one gateway. Delivered at least once; the id makes a repeat harmless. */
export const EventBatch = z.object({
  id: z.string().min(1).max(64),
  gatewayId: z.string().max(64),
  events: z.array(SecurityEvent).max(5000),
  counters: z.array(Counters).max(20_000),
  /** that began there */
  bans: z.array(Ban).max(maxBansInBatch).optional(),
  /** events that the spool had to drop since the last batch */
  dropped: count,
});
export type EventBatch = z.infer<typeof EventBatch>;

/** What a gateway says of itself every second. Lost reports are harmless. */
export const GatewayReport = z.object({
  gatewayId: z.string().max(64),
  productVersion: z.string().max(32),
  /** the machine's name */
  host: z.string().max(64).optional(),
  /** what it speaks; absent: version 1, which did not say */
  linkVersion: z.number().int().optional(),
  linkCompatibleFrom: z.number().int().optional(),
  /** its clock, Unix milliseconds */
  time: z.number().optional(),
  startedAt: z.string(),
  /** version of the snapshot in force; absent before the first */
  configVersion: z.number().int().optional(),
  refused: z.object({ version: z.number().int(), reason: z.string().max(4096) }).optional(),
  activeConnections: count,
  /** where it listens; absent where an older version did not say, and `httpsPort` where it has none */
  httpPort: z.number().int().min(1).max(65_535).optional(),
  httpsPort: z.number().int().min(1).max(65_535).optional(),
  /** requests since the last report and the time that they cover */
  requests: count,
  intervalMs: z.number().int(),
  perSite: z.array(z.object({ siteId: z.string(), requests: count })),
  upstreams: z.array(
    z.object({
      siteId: z.string(),
      url: z.string(),
      healthy: z.boolean(),
      checksPassed: count,
      checksFailed: count,
      reason: z.string().max(512).optional(),
    }),
  ),
  /** sites whose upstreams this report tells of, all of each; absent: all sites. Of the others nothing changed */
  upstreamsOf: z.array(z.string()).optional(),
  /** whether rate limits are counted with the other gateways; absent where there is no server to share them on */
  limits: z.enum(['shared', 'alone']).optional(),
  spoolBytes: count,
  /** how long the oldest batch has waited on disk; absent where none does */
  spoolOldestMs: count.optional(),
  /** what asks for an operator, a sentence each: a disk that takes nothing, events that were lost */
  problems: z.array(z.string().max(512)).max(16).optional(),
  memoryBytes: count,
  cpuPercent: z.number().min(0),
  /** the last word of one that was told to stop */
  leaving: z.boolean().optional(),
});
export type GatewayReport = z.infer<typeof GatewayReport>;

/** What of a report any version of the link has. */
const Introduction = GatewayReport.pick({ gatewayId: true, productVersion: true, startedAt: true }).extend({
  linkVersion: z.number().int(),
  linkCompatibleFrom: z.number().int(),
});

/**
 * Reads a report, and of a gateway that speaks a link of its own at least who it is and what it speaks, so that it is
 * shown and not only missed. @returns undefined where it is no report
 */
export function readReport(message: unknown): GatewayReport | undefined {
  const whole = GatewayReport.safeParse(message);
  if (whole.success) return whole.data;
  const some = Introduction.safeParse(message);
  if (!some.success || linkMismatch(some.data) === undefined) return undefined;
  const unread = {
    activeConnections: 0,
    requests: 0,
    intervalMs: 0,
    spoolBytes: 0,
    memoryBytes: 0,
    cpuPercent: 0,
  };
  return { ...some.data, ...unread, perSite: [], upstreams: [] };
}

/** A request that passed, shown in the live stream while somebody watches; sampled, never stored. */
export const Sighting = SecurityEvent;
export type Sighting = SecurityEvent;
