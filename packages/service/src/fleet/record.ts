import { FleetMember, fleetLimits } from '@portcullis/contract/fleet';
import type { GatewayReport, ServiceReport } from '@portcullis/contract/link';
import { z } from 'zod';

/** What is kept of one gateway or service: what it last said, and when. Times are Unix milliseconds. */
export const FleetRecord = FleetMember.omit({
  state: true,
  lastSeen: true,
  behindBy: true,
  warnings: true,
}).extend({
  linkCompatibleFrom: z.number(),
  seenAt: z.number(),
  /** it said that it was told to stop */
  leaving: z.boolean(),
  /** since when it serves by an older configuration than the newest */
  behindSince: z.number().optional(),
  /** what the process was started at that spoke under its name before this one */
  formerStartedAt: z.string().optional(),
  /** when two processes last spoke under its name in turns */
  rivalAt: z.number().optional(),
  /** when another took its place that had not said that it was told to stop, the newest last */
  endings: z.array(z.number()).optional(),
  problems: z.array(z.string()),
});
export type FleetRecord = z.infer<typeof FleetRecord>;

/** What the one who listens knows beside what was said. */
export interface Heard {
  /** on the clock that all services share */
  readonly at: number;
  /** newest version of the configuration */
  readonly newest: number;
  /** what is known of the same one */
  readonly before: FleetRecord | undefined;
}

type Said = Pick<
  FleetRecord,
  'productVersion' | 'linkVersion' | 'linkCompatibleFrom' | 'startedAt' | 'cpuPercent' | 'memoryBytes'
> & { readonly leaving?: boolean | undefined };

/** What each kind says alike, and what follows of it and of what was known before. */
function common(said: Said, { at, newest, before }: Heard, configVersion: number | undefined) {
  const behind = configVersion === undefined || configVersion < newest;
  const turned = before !== undefined && said.startedAt !== before.startedAt;
  // One that speaks again after another took its place did not end: both live. Which is the older one is no sign of it,
  // for it may have been started by another clock.
  const rivalAt = turned && said.startedAt === before.formerStartedAt ? at : before?.rivalAt;
  const formerStartedAt = turned ? before.startedAt : before?.formerStartedAt;
  const endings = turned && !before.leaving && rivalAt !== at ? [...recent(before, at), at] : before?.endings;
  const { productVersion, linkVersion, linkCompatibleFrom, startedAt, cpuPercent, memoryBytes } = said;
  return {
    ...{ productVersion, linkVersion, linkCompatibleFrom, startedAt, cpuPercent, memoryBytes },
    seenAt: at,
    leaving: said.leaving === true,
    ...(configVersion !== undefined && { configVersion }),
    ...(behind && { behindSince: before?.behindSince ?? at }),
    ...(formerStartedAt !== undefined && { formerStartedAt }),
    ...(rivalAt !== undefined && { rivalAt }),
    ...(endings && { endings }),
  };
}

/** When it ended without a word, as far back as is told. Times are Unix milliseconds. */
export function recent({ endings = [] }: Pick<FleetRecord, 'endings'>, now: number): number[] {
  return endings.filter((at) => now - at < fleetLimits.endedToldMs);
}

/** So much further behind than before is a clock taken to be with each word of one process. */
const fallMs = 5000;
/** No word is under way for longer: a clock that fell by more was set. */
const longestWaitMs = 600_000;

/**
 * What was under way when a cable was cut comes when it is mended: a few words, half a minute old, which say nothing of
 * the clock. A wait can make a clock seem behind, never ahead.
 */
function clockOffset(said: { startedAt: string; time: number }, { at, before }: Heard): number {
  const offset = said.time - at;
  const known = before?.startedAt === said.startedAt ? before.clockOffsetMs : undefined;
  const wasSet = known === undefined || known - offset > longestWaitMs;
  return wasSet ? offset : Math.max(offset, known - fallMs);
}

export function recordOfGateway(report: GatewayReport, heard: Heard): FleetRecord {
  const { host, refused, limits, spoolOldestMs, time, linkVersion = 1, linkCompatibleFrom = 1 } = report;
  const { httpPort, httpsPort } = report;
  return {
    id: report.gatewayId,
    kind: 'gateway',
    ...common({ ...report, linkVersion, linkCompatibleFrom }, heard, report.configVersion),
    problems: report.problems ?? [],
    activeConnections: report.activeConnections,
    requestsPerSecond: report.intervalMs === 0 ? 0 : (report.requests / report.intervalMs) * 1000,
    spoolBytes: report.spoolBytes,
    ...(host !== undefined && { host }),
    ...(httpPort !== undefined && { httpPort }),
    ...(httpsPort !== undefined && { httpsPort }),
    ...(refused && { refused }),
    ...(limits && { limits }),
    ...(spoolOldestMs !== undefined && { spoolOldestMs }),
    ...(time !== undefined && { clockOffsetMs: clockOffset({ ...report, time }, heard) }),
  };
}

export function recordOfService(report: ServiceReport, heard: Heard): FleetRecord {
  return {
    id: report.serviceId,
    kind: 'service',
    ...common(report, heard, report.configVersion),
    problems: report.problems ?? [],
    host: report.host,
    onDuty: report.onDuty,
    clockOffsetMs: clockOffset(report, heard),
  };
}
