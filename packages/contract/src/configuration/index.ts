import { z } from 'zod';

/** One thing that a version made, altered or removed. */
export const ConfigurationChange = z.object({
  /** `site`, `ruleset`, `rule`, `address_list`, `settings` */
  kind: z.string(),
  id: z.string(),
  name: z.string(),
  change: z.enum(['created', 'updated', 'deleted']),
  /** names of the fields that differ, empty where the whole came or went */
  fields: z.array(z.string()),
});
export type ConfigurationChange = z.infer<typeof ConfigurationChange>;

/** A saved change of the configuration: who, when, what. */
export const ConfigurationVersion = z.object({
  version: z.number().int(),
  created_at: z.string(),
  /** email of who saved it */
  author: z.string(),
  /** one sentence for a person */
  reason: z.string(),
  changes: z.array(ConfigurationChange),
});
export type ConfigurationVersion = z.infer<typeof ConfigurationVersion>;

/** The same with each thing as it stood before and stands after; null where it did not exist. */
export const ConfigurationVersionDetail = ConfigurationVersion.extend({
  changes: z.array(ConfigurationChange.extend({ before: z.json(), after: z.json() })),
});
export type ConfigurationVersionDetail = z.infer<typeof ConfigurationVersionDetail>;

export const ConfigurationHistoryQuery = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  /** only versions below this one: the last of the page before */
  before: z.coerce.number().int().min(1).optional(),
});

/** What a gateway serves by, and what it refused. */
export const GatewayState = z.object({
  id: z.string(),
  productVersion: z.string(),
  startedAt: z.string(),
  /** absent before its first configuration */
  configVersion: z.number().int().optional(),
  /** whether that is the newest one */
  current: z.boolean(),
  refused: z.object({ version: z.number().int(), reason: z.string() }).optional(),
  activeConnections: z.number(),
  requestsPerSecond: z.number(),
  spoolBytes: z.number(),
  memoryBytes: z.number(),
  cpuPercent: z.number(),
});
export type GatewayState = z.infer<typeof GatewayState>;
