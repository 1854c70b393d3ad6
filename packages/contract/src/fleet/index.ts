import { z } from 'zod';

/** What of a gateway or service asks for attention, the gravest first. */
export const fleetWarningCodes = [
  'absent',
  'refused',
  'link',
  'problem',
  'name',
  'behind',
  'clock',
  'spool',
  'restarts',
  'ended',
] as const;
export type FleetWarningCode = (typeof fleetWarningCodes)[number];

export const FleetWarning = z.object({
  /** one of {@link fleetWarningCodes}; newer services may know more */
  code: z.string(),
  /** one sentence for a person */
  text: z.string(),
});
export type FleetWarning = z.infer<typeof FleetWarning>;

/** @returns whether it still is so; else it is told for a while although it is over, and a check need not fail by it */
export const stands = ({ code }: FleetWarning): boolean => code !== ('ended' satisfies FleetWarningCode);

/** When what is seen asks for attention. */
export const fleetLimits = {
  /** one that is silent for so long is absent */
  absentAfterMs: 10_000,
  /** a change may take so long to be in force */
  behindAfterMs: 10_000,
  clockOffMs: 30_000,
  /** events that wait on a disk for longer are not being taken */
  spoolWaitsMs: 30_000,
  /** that one ended without a word is told for so long */
  endedToldMs: 600_000,
  /** one that ended so often meanwhile has not come to rest */
  endingsOfRestless: 3,
  /** an absent one is forgotten after a day, one that was stopped after an hour */
  absentForgottenMs: 86_400_000,
  stoppedForgottenMs: 3_600_000,
} as const;

/** One process of the product, as it last said of itself. */
export const FleetMember = z.object({
  id: z.string(),
  kind: z.enum(['gateway', 'service']),
  /** the machine's name; absent where an older version did not say */
  host: z.string().optional(),
  productVersion: z.string(),
  linkVersion: z.number().int(),
  startedAt: z.string(),
  /** `absent`: it fell silent; `stopped`: it said that it was told to stop */
  state: z.enum(['present', 'absent', 'stopped']),
  lastSeen: z.string(),
  /** of services: whether it does what is done once */
  onDuty: z.boolean().optional(),
  /** absent before its first configuration */
  configVersion: z.number().int().optional(),
  /** versions between that and the newest one */
  behindBy: z.number().int(),
  refused: z.object({ version: z.number().int(), reason: z.string() }).optional(),
  /** where a gateway listens on its own machine; absent where an older version did not say */
  httpPort: z.number().int().min(1).max(65_535).optional(),
  httpsPort: z.number().int().min(1).max(65_535).optional(),
  activeConnections: z.number().optional(),
  requestsPerSecond: z.number().optional(),
  /** whether a gateway counts rate limits with the others */
  limits: z.enum(['shared', 'alone']).optional(),
  cpuPercent: z.number(),
  memoryBytes: z.number(),
  /** events that wait on its disk */
  spoolBytes: z.number().optional(),
  /** how long the oldest of them has waited */
  spoolOldestMs: z.number().optional(),
  /** its clock less the database's, or less the service's own where the database is a file */
  clockOffsetMs: z.number().optional(),
  warnings: z.array(FleetWarning),
});
export type FleetMember = z.infer<typeof FleetMember>;

/** Every gateway and service that was seen of late, services first, then by name. */
export const Fleet = z.object({
  /** newest version of the configuration */
  configVersion: z.number().int(),
  asOf: z.string(),
  members: z.array(FleetMember),
});
export type Fleet = z.infer<typeof Fleet>;
