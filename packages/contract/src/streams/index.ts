import { z } from 'zod';
import { logLevels } from '../events/index.ts';

/** Event names of GET /logs/stream. */
export const logStreamEvents = ['log', 'ping', 'reconnect', 'missed'] as const;

/** Event name of GET /api/metrics/system/stream. */
export const systemStreamEvent = 'metrics';

export const LogStreamQuery = z.object({
  siteId: z.string().max(64).optional(),
  level: z.enum(logLevels).optional(),
  /** a single-use stream ticket, or for compatibility the session token */
  token: z.string().max(4096).optional(),
});

export type LogStreamQuery = z.infer<typeof LogStreamQuery>;

/** Sent instead of entries that a slow reader was too late for. */
export const MissedEntries = z.object({ missed: z.number().int() });

export const streamTimings = {
  heartbeatMs: 15_000,
  /** a reader waits this long before it connects again */
  reconnectMs: 5_000,
  ticketSeconds: 60,
} as const;
