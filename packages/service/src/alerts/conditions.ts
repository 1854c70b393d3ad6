import type { FleetMember, FleetWarningCode } from '@portcullis/contract/fleet';
import { type Alert, alertThresholds, type SystemSample } from '@portcullis/contract/monitoring';
import type { CertificateWarning } from '../certificates/index.ts';

/** Something that asks for attention now. */
export interface Condition {
  /** what it is about; one alert at a time is active for a key */
  readonly key: string;
  readonly type: Alert['type'];
  readonly message: string;
  readonly siteId?: string;
}

/** Looks in a row that a condition must hold, or not hold, before its alert begins or ends: a peak is no alert. */
export const steadyLooks = 3;

/** Percent below its threshold that a figure falls until its alert ends: one that swings about the threshold is one alert. */
const relief = 5;

export interface Surroundings {
  readonly sample: SystemSample | undefined;
  /** keys of the alerts that last; absent: none */
  readonly lasting?: ReadonlySet<string>;
  readonly sites: readonly { readonly id: string; readonly name: string; readonly enabled: boolean }[];
  /** @returns false once every upstream of the site is down; undefined while nobody checks it */
  healthy(siteId: string): boolean | undefined;
  /** every gateway and service */
  readonly fleet?: readonly Pick<FleetMember, 'id' | 'warnings'>[];
  /** one at most for a site */
  readonly certificates?: readonly CertificateWarning[];
}

/** What of the specification's conditions holds at this moment. */
export function conditionsOf({
  sample,
  lasting,
  sites,
  healthy,
  fleet = [],
  certificates = [],
}: Surroundings): Condition[] {
  const conditions: Condition[] = [];
  const above = (
    key: string,
    type: Alert['type'],
    what: string,
    value: number | undefined,
    threshold: number,
  ) => {
    const bound = lasting?.has(key) ? threshold - relief : threshold;
    if (value !== undefined && value > bound) {
      conditions.push({ key, type, message: `High ${what} usage: ${Math.round(value)}%` });
    }
  };
  above('memory', 'warning', 'memory', sample?.memory_usage, alertThresholds.memoryPercent);
  above('cpu', 'critical', 'CPU', sample?.cpu_usage, alertThresholds.cpuPercent);
  above('disk', 'critical', 'disk', sample?.disk_usage, alertThresholds.diskPercent);
  for (const { id, name, enabled } of sites) {
    if (!enabled || healthy(id) !== false) continue;
    conditions.push({
      key: `site_down:${id}`,
      type: 'critical',
      message: `Site ${name} is down`,
      siteId: id,
    });
  }
  conditions.push(...fleet.flatMap(fleetConditions), ...certificates.map(certificateCondition));
  return conditions;
}

/** Visitors meet a browser's warning where it is expired, unusable or of another name. */
function certificateCondition(warning: CertificateWarning): Condition {
  const { siteId, siteName, domain, code, text } = warning;
  const isOver = code === 'expired' || code === 'unusable' || code === 'names';
  return {
    key: `certificate:${siteId}:${code}`,
    type: isOver ? 'critical' : 'warning',
    message: `Certificate of ${siteName} (${domain}): ${text}`,
    siteId,
  };
}

/** What goes on without harm to traffic for a while. */
const mild: readonly string[] = [
  'behind',
  'clock',
  'spool',
  'restarts',
  'ended',
] satisfies FleetWarningCode[];

function fleetConditions({ id, warnings }: Pick<FleetMember, 'id' | 'warnings'>): Condition[] {
  return warnings.map(({ code, text }) => ({
    // What differs in its words from look to look is still one thing, but each problem is one of its own.
    key: code === 'problem' ? `gateway:${id}:${text}` : `fleet:${id}:${code}`,
    type: mild.includes(code) ? ('warning' as const) : ('critical' as const),
    // The title stands before the first colon.
    message: `${id}: ${text}`,
  }));
}

/**
 * What of all that holds an alert in the database may be of. That the database takes nothing is over once it takes that:
 * the alert would begin as its cause ends.
 * @param unstored the problem in its words, where it holds here
 */
export function storable(conditions: readonly Condition[], unstored: string | undefined): Condition[] {
  return conditions.filter(({ key }) => unstored === undefined || !key.endsWith(`:${unstored}`));
}
