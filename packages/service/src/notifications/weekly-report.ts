import type { NotificationSettings } from '@portcullis/contract/notifications';
import type { Db } from '../storage/index.ts';
import { readRecent } from '../traffic/index.ts';
import type { Message } from './messages.ts';
import { isQuiet } from './quiet-hours.ts';
import { newestOfTopic } from './repository.ts';
import { subscribersTo } from './subscribers.ts';

const dayMs = 86_400_000;
const maxSites = 20;
const topic = 'weekly_report';
const fromHour = 8;

/** Whether it is Monday from eight o'clock on. @param timezone IANA name */
export function isReportTime(timezone: string, now: number): boolean {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    weekday: 'short',
    hour: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(now);
  const part = (type: string) => parts.find((one) => one.type === type)?.value;
  return part('weekday') === 'Mon' && Number(part('hour')) >= fromHour;
}

interface WeekOfSite {
  readonly name: string;
  readonly requests: number;
  readonly blocked: number;
}

const told = ({ requests, blocked }: Omit<WeekOfSite, 'name'>) => {
  const rate = requests === 0 ? 0 : (blocked / requests) * 100;
  return `${requests} requests, ${blocked} of them blocked (${rate.toFixed(2)}%)`;
};

/** What the last seven days were, the sites with the most blocks first. */
export function weeklyMessage(sites: readonly WeekOfSite[]): Message {
  const sum = (field: 'requests' | 'blocked') => sites.reduce((all, site) => all + site[field], 0);
  const all = { requests: sum('requests'), blocked: sum('blocked') };
  const sorted = [...sites].sort((a, b) => b.blocked - a.blocked || b.requests - a.requests);
  const rest = sorted.length - maxSites;
  return {
    event: 'weekly_report',
    topic,
    level: 'info',
    path: '/',
    subject: `Weekly report: ${all.blocked} of ${all.requests} requests blocked`,
    lines: [
      `In the last seven days there were ${told(all)}.`,
      ...sorted.slice(0, maxSites).map((site) => `${site.name}: ${told(site)}`),
      ...(rest > 0 ? [`and ${rest} more sites`] : []),
    ],
  };
}

export interface ReportParts {
  readonly read: Db;
  readonly settings: NotificationSettings;
  readonly timezone: string;
  readonly now: number;
  siteName(id: string): string | undefined;
}

/** @returns the report of the week, once on its Monday, where mail is on and somebody asked for it */
export async function dueReport(parts: ReportParts): Promise<Message | undefined> {
  const { read, settings, timezone, now, siteName } = parts;
  if (!settings.email.enabled || !isReportTime(timezone, now)) return undefined;
  if (isQuiet(settings.quietHours, timezone, now)) return undefined;
  const newest = await newestOfTopic(read, topic, 'email', now);
  if (newest && newest.time > now - 2 * dayMs) return undefined;
  if ((await subscribersTo(read, topic)).length === 0) return undefined;
  const sums = await readRecent(read, now - 7 * dayMs, 'traffic_hour');
  const sites = sums.map(({ site_id, requests, blocked }) => ({
    name: site_id === '' ? 'Hosts of no site' : (siteName(site_id) ?? site_id),
    requests,
    blocked,
  }));
  return weeklyMessage(sites);
}
