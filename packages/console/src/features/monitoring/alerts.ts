import type { SystemSample } from '@portcullis/contract/monitoring';
import { alertThresholds } from '@portcullis/contract/monitoring';
import type { Site } from '@portcullis/contract/sites';
import { formatPercent } from '../../lib/format/index.ts';
import { messages } from '../../lib/messages/index.ts';
import type { SiteState } from './site-state.ts';

const words = messages.monitoring;

/** Something that needs attention now, derived from the live figures. */
export interface Alert {
  id: string;
  type: 'critical' | 'warning' | 'info';
  message: string;
  status: 'active';
}

/** What the newest sample and the state of the sites call for. */
export function deriveAlerts(
  sample: SystemSample | undefined,
  sites: readonly { site: Site; state: SiteState }[],
): Alert[] {
  const alerts: Alert[] = [];
  const add = (id: string, type: Alert['type'], message: string) =>
    alerts.push({ id, type, message, status: 'active' });
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
    if (state === 'down') add(`site ${site.id}`, 'critical', words.siteDown(site.name));
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
