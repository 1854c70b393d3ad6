import type { Alert } from '@portcullis/contract/monitoring';
import {
  type NotificationLevel,
  type NotificationTest,
  notificationChannels,
} from '@portcullis/contract/notifications';

/** What a message can tell of. */
export const notificationEvents = [
  'attacks',
  'site_down',
  'site_up',
  'high_load',
  'system',
  'system_over',
  'user_change',
  'rule_change',
  'summary',
  'weekly_report',
  'test',
] as const;
export type NotificationEvent = (typeof notificationEvents)[number];

export const channels = notificationChannels;
export type Channel = (typeof channels)[number];

/** What is to be told, before it is known to whom. */
export interface Message {
  readonly event: NotificationEvent;
  /** what messages of the same matter share, such as `site:site_1` */
  readonly topic: string;
  readonly level: NotificationLevel;
  /** that it is about, where it is about one */
  readonly site?: SiteOfMessage;
  /** of the console's screen that shows it */
  readonly path: string;
  readonly subject: string;
  readonly lines: readonly string[];
}

interface SiteOfMessage {
  readonly id: string;
  readonly name: string;
}

const pathOfSite = ({ id }: SiteOfMessage) => `/sites?site=${encodeURIComponent(id)}`;

const maxLineLength = 300;

/**
 * Text from outside as one harmless line: requests choose paths and names, and a line break in a subject would be a
 * header of its own. @see RFC 5322 §2.2
 */
export function oneLine(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim();
  return line.length > maxLineLength ? `${line.slice(0, maxLineLength - 1)}…` : line;
}

/** What was counted in the minute that went over the threshold. */
export interface AttackMinute {
  readonly count: number;
  readonly threshold: number;
  /** names with their counts, the most frequent first */
  readonly sites: readonly (readonly [string, number])[];
  readonly categories: readonly (readonly [string, number])[];
  readonly addresses: readonly (readonly [string, number])[];
}

const counted = (pairs: readonly (readonly [string, number])[]) =>
  pairs
    .slice(0, 5)
    .map(([name, count]) => `${name} (${count})`)
    .join(', ') || 'none named';

export function attackMessage(minute: AttackMinute): Message {
  return {
    event: 'attacks',
    topic: 'attacks',
    level: 'critical',
    path: '/logs',
    subject: `${minute.count} attacks within a minute`,
    lines: [
      `${minute.count} attacks were stopped or logged within a minute; the threshold is ${minute.threshold}.`,
      `Sites: ${counted(minute.sites)}`,
      `Kinds: ${counted(minute.categories)}`,
      `Addresses: ${counted(minute.addresses)}`,
    ],
  };
}

export function siteDownMessage({ id, name }: SiteOfMessage, reason: string | undefined): Message {
  const site = { id, name };
  const why = reason === undefined ? '' : ` The last check said: ${reason}`;
  return {
    event: 'site_down',
    topic: `site:${id}`,
    level: 'critical',
    site,
    path: pathOfSite(site),
    subject: `Site ${name} is down`,
    lines: [`No upstream of the site ${name} answers its health checks.${why}`],
  };
}

export function siteUpMessage({ id, name }: SiteOfMessage): Message {
  const site = { id, name };
  return {
    event: 'site_up',
    topic: `site:${id}`,
    level: 'ok',
    site,
    path: pathOfSite(site),
    subject: `Site ${name} is up again`,
    lines: [`The site ${name} answers its health checks again.`],
  };
}

export function loadMessage(percent: number, threshold: number): Message {
  return {
    event: 'high_load',
    topic: 'load',
    level: 'warning',
    path: '/monitoring',
    subject: `High load: ${Math.round(percent)}%`,
    lines: [`The load of the machine is ${Math.round(percent)}%; the threshold is ${threshold}%.`],
  };
}

/** An alert of Monitoring, to be told as it begins or ends. */
interface AlertOfMessage {
  readonly topic: string;
  readonly type: Alert['type'];
  readonly message: string;
  readonly site?: SiteOfMessage;
}

const placeOf = ({ topic, site }: AlertOfMessage) => ({
  topic,
  ...(site && { site }),
  path: site ? pathOfSite(site) : '/monitoring',
});

export function alertMessage(alert: AlertOfMessage): Message {
  const { type, message } = alert;
  return { event: 'system', level: type, ...placeOf(alert), subject: message, lines: [message] };
}

export function alertOverMessage(alert: AlertOfMessage): Message {
  const subject = `Over: ${alert.message}`;
  const lines = [`This is so no more: ${alert.message}`];
  return { event: 'system_over', level: 'ok', ...placeOf(alert), subject, lines };
}

/** @param what one sentence from the audit log */
export function changeMessage(event: 'user_change' | 'rule_change', what: string, actor: string): Message {
  const subject = event === 'user_change' ? 'Users were changed' : 'Protection rules were changed';
  const path = event === 'user_change' ? '/users' : '/protection';
  return { event, topic: event, level: 'info', path, subject, lines: [`${what} (by ${actor})`] };
}

const tests: Readonly<Record<NotificationTest['type'], readonly [title: string, what: string]>> = {
  attack: ['attacks within a minute', 'tells that an attack went over its threshold'],
  sitedown: ['site is down', 'tells that a site stopped answering its health checks'],
  webhook: ['webhook', 'goes to the webhook, with all its fields'],
};

export function testMessage(type: NotificationTest['type']): Message {
  const [title, what] = tests[type];
  return {
    event: 'test',
    topic: `test:${type}`,
    level: 'info',
    path: '/settings?tab=notifications',
    subject: `Test: ${title}`,
    lines: [`This is a test. A message like this one ${what}. Nothing has happened.`],
  };
}

const maxSummarized = 50;

const levels = ['critical', 'warning', 'info', 'ok'] as const satisfies NotificationLevel[];

/** What is told of within so short a time was held because it is much, not because of the quiet hours. */
const burstMs = 60_000;

interface HeldMessage {
  readonly time: number;
  /** until when it was put off, if it was */
  readonly next_at: number | null;
  readonly level: string;
  readonly subject: string;
  readonly occurrences: number;
}

/** One message for all that was held in the quiet hours or came at once, so that none is lost and nobody gets fifty. */
export function summaryMessage(
  held: readonly HeldMessage[],
  now: number,
  clockOf: (time: number) => string,
): Message {
  const shown = held.slice(0, maxSummarized).map(({ time, subject, occurrences }) => {
    const times = occurrences > 1 ? ` (${occurrences} times)` : '';
    return `${clockOf(time)} ${subject}${times}`;
  });
  const rest = held.length - shown.length;
  const atOnce = held.length > 1 && held.every(({ time, next_at }) => (next_at ?? time) > now - burstMs);
  const count = `${held.length} ${held.length === 1 ? 'notification' : 'notifications'}`;
  return {
    event: 'summary',
    topic: 'summary',
    level: levels.find((level) => held.some((one) => one.level === level)) ?? 'info',
    path: '/settings?tab=notifications',
    subject: `${count} ${atOnce ? 'at once' : 'from the quiet hours'}`,
    lines: [...shown, ...(rest > 0 ? [`and ${rest} more`] : [])],
  };
}
