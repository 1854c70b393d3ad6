import { type Alert, alertThresholds, type SystemSample } from '@portcullis/contract/monitoring';

/** Something that asks for attention now. */
export interface Condition {
  /** what it is about; one alert at a time is active for a key */
  readonly key: string;
  readonly type: Alert['type'];
  readonly message: string;
  readonly siteId?: string;
}

export interface Surroundings {
  readonly sample: SystemSample | undefined;
  readonly sites: readonly { readonly id: string; readonly name: string; readonly enabled: boolean }[];
  /** @returns false once every upstream of the site is down; undefined while nobody checks it */
  healthy(siteId: string): boolean | undefined;
  /** what gateways ask an operator for */
  readonly gatewayProblems?: readonly { readonly gateway: string; readonly problem: string }[];
}

/** What of the specification's conditions holds at this moment. */
export function conditionsOf({ sample, sites, healthy, gatewayProblems = [] }: Surroundings): Condition[] {
  const conditions: Condition[] = [];
  const above = (
    key: string,
    type: Alert['type'],
    what: string,
    value: number | undefined,
    threshold: number,
  ) => {
    if (value !== undefined && value > threshold) {
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
  for (const { gateway, problem } of gatewayProblems) {
    // The title stands before the first colon.
    conditions.push({
      key: `gateway:${gateway}:${problem}`,
      type: 'critical',
      message: `${gateway}: ${problem}`,
    });
  }
  return conditions;
}
