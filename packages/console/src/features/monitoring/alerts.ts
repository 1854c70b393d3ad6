import type { Alert as KeptAlert, SystemSample } from '@portcullis/contract/monitoring';
import { alertThresholds } from '@portcullis/contract/monitoring';
import type { Site } from '@portcullis/contract/sites';
import { formatPercent, parseTime } from '../../lib/format/index.ts';
import { messages } from '../../lib/messages/index.ts';
import type { SiteState } from './site-state.ts';

const words = messages.monitoring;

/** Something that needs attention, or did. */
export interface Alert {
  id: string;
  type: 'critical' | 'warning' | 'info';
  message: string;
  status: 'active' | 'resolved';
  /** when it began, Unix milliseconds; undefined where only this page has seen it */
  since: number | undefined;
  /** the site that it is about, where it is about one */
  siteId?: string | undefined;
}

/** What the newest sample and the state of the sites call for. */
export function deriveAlerts(
  sample: SystemSample | undefined,
  sites: readonly { site: Site; state: SiteState }[],
): Alert[] {
  const alerts: Alert[] = [];
  const add = (id: string, type: Alert['type'], message: string, siteId?: string) =>
    alerts.push({ id, type, message, status: 'active', since: undefined, siteId });
  if (sample) {
    const { cpu_usage, memory_usage, disk_usage } = sample;
    if (memory_usage > alertThresholds.memoryPercent)
      add('memory', 'warning', words.highMemory(formatPercent(memory_usage, 1)));
    if (cpu_usage > alertThresholds.cpuPercent)
      add('cpu', 'critical', words.highCpu(formatPercent(cpu_usage, 1)));
    if (disk_usage > alertThresholds.diskPercent)
      add('disk', 'critical', words.highDisk(formatPercent(disk_usage, 1)));
  }
  for (const { site, state } of sites) {
    if (state === 'down') add(`site ${site.id}`, 'critical', words.siteDown(site.name), site.id);
  }
  return alerts;
}

/** An alert's title: the text before the first colon; what follows is its figure. */
export function splitMessage(message: string): { title: string; rest: string } {
  const colon = message.indexOf(':');
  return colon < 0
    ? { title: message, rest: '' }
    : { title: message.slice(0, colon), rest: message.slice(colon + 1).trim() };
}

/** Alerts that ended, as many as show what the night was like. */
const resolvedShown = 5;

/**
 * The service's alerts, which it keeps with their times and which tell of gateways too, and of the derived ones those
 * that it has not: it looks less often, and other servers keep none.
 */
export function mergeAlerts(kept: readonly KeptAlert[], derived: readonly Alert[]): Alert[] {
  const known = kept.map(
    ({ id, type, message, status, timestamp, siteId }): Alert => ({
      id,
      type,
      message,
      status,
      since: parseTime(timestamp)?.getTime(),
      siteId,
    }),
  );
  const active = known.filter(({ status }) => status === 'active');
  const titles = new Set(active.map(({ message }) => splitMessage(message).title));
  const fresh = derived.filter(({ message }) => !titles.has(splitMessage(message).title));
  return [
    ...fresh,
    ...active,
    ...known.filter(({ status }) => status === 'resolved').slice(0, resolvedShown),
  ];
}
