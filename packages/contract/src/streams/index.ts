import { z } from 'zod';
import { logLevels } from '../events/index.ts';

/** Event names of GET /logs/stream. */
export const logStreamEvents = ['log', 'ping', 'reconnect', 'missed', 'gap'] as const;

/** Event name of GET /api/metrics/system/stream. */
export const systemStreamEvent = 'metrics';

export const LogStreamQuery = z.object({
  siteId: z.string().max(64).optional(),
  /** `all` is what leaving it out means */
  level: z.enum([...logLevels, 'all']).optional(),
  /** a single-use stream ticket, or for compatibility the session token */
  token: z.string().max(4096).optional(),
  /** the last `id` that the reader has seen; a browser cannot set the Last-Event-ID header of a new EventSource */
  lastEventId: z.string().max(64).optional(),
});

export type LogStreamQuery = z.infer<typeof LogStreamQuery>;

/** Sent instead of entries that a slow reader was too late for. */
export const MissedEntries = z.object({ missed: z.number().int() });

// `gap` comes, without data, where a reader comes back and what it has seen last is no longer in the buffer: between
// that and the next entry others may have come, which GET /audit still has.

export const streamTimings = {
  heartbeatMs: 15_000,
  /** a reader waits this long before it connects again */
  reconnectMs: 5_000,
  ticketSeconds: 60,
} as const;
