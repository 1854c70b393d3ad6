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

export const alertThresholds = { memoryPercent: 85, cpuPercent: 80, diskPercent: 90 } as const;
