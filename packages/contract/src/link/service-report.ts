import { z } from 'zod';

/** What a service says of itself every two seconds, to itself and to the others. Lost ones are harmless. */
export const ServiceReport = z.object({
  serviceId: z.string().max(64),
  /** the machine's name */
  host: z.string().max(64),
  productVersion: z.string().max(32),
  linkVersion: z.number().int(),
  linkCompatibleFrom: z.number().int(),
  startedAt: z.string().max(64),
  /** its clock, Unix milliseconds */
  time: z.number(),
  configVersion: z.number().int(),
  /** whether it does what is done once: jobs, alerts, notifications */
  onDuty: z.boolean(),
  memoryBytes: z.number().min(0),
  cpuPercent: z.number().min(0),
  problems: z.array(z.string().max(512)).max(16).optional(),
  /** the last word of one that was told to stop */
  leaving: z.boolean().optional(),
});
export type ServiceReport = z.infer<typeof ServiceReport>;
