import { z } from 'zod';

/** A streamed sample of the host: percentages and bytes; network figures are totals since boot. */
export const SystemSample = z.object({
  cpu_usage: z.number(),
  memory_usage: z.number(),
  disk_usage: z.number(),
  memory_used: z.number(),
  memory_total: z.number(),
  disk_used: z.number(),
  disk_total: z.number(),
  network_in: z.number(),
  network_out: z.number(),
  timestamp: z.string().optional(),
});
export type SystemSample = z.infer<typeof SystemSample>;

export const alertTypes = ['critical', 'warning', 'info'] as const;

/** A condition that asks for attention, kept with the times at which it began and ended. */
export const Alert = z.object({
  id: z.string(),
  type: z.enum(alertTypes),
  /** the title stands before the first colon: 'High memory usage: 91%' */
  message: z.string(),
  /** when it began */
  timestamp: z.string(),
  status: z.enum(['active', 'resolved']),
  /** absent while it lasts */
  endedAt: z.string().optional(),
  siteId: z.string().optional(),
});
export type Alert = z.infer<typeof Alert>;

export const AlertsQuery = z.object({ limit: z.coerce.number().int().min(1).max(200).default(50) });

export const alertThresholds = { memoryPercent: 85, cpuPercent: 80, diskPercent: 90 } as const;
