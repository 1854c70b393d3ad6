/** What a message can tell of. */
export const notificationEvents = [
  'attacks',
  'site_down',
  'site_up',
  'high_load',
  'user_change',
  'rule_change',
  'summary',
  'weekly_report',
  'test',
] as const;
export type NotificationEvent = (typeof notificationEvents)[number];

export const channels = ['email', 'slack'] as const;
export type Channel = (typeof channels)[number];

/** What is to be told, before it is known to whom. */
export interface Message {
  readonly event: NotificationEvent;
  /** what messages of the same matter share, such as `site:site_1` */
  readonly topic: string;
  readonly subject: string;
  readonly lines: readonly string[];
}

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
    subject: `${minute.count} attacks within a minute`,
    lines: [
      `${minute.count} attacks were stopped or logged within a minute; the threshold is ${minute.threshold}.`,
      `Sites: ${counted(minute.sites)}`,
      `Kinds: ${counted(minute.categories)}`,
      `Addresses: ${counted(minute.addresses)}`,
    ],
  };
}

export function siteDownMessage(site: { id: string; name: string }, reason: string | undefined): Message {
  const why = reason === undefined ? '' : ` The last check said: ${reason}`;
  return {
    event: 'site_down',
    topic: `site:${site.id}`,
    subject: `Site ${site.name} is down`,
    lines: [`No upstream of the site ${site.name} answers its health checks.${why}`],
  };
}

export function siteUpMessage(site: { id: string; name: string }): Message {
  return {
    event: 'site_up',
    topic: `site:${site.id}`,
    subject: `Site ${site.name} is up again`,
    lines: [`The site ${site.name} answers its health checks again.`],
  };
}

export function loadMessage(percent: number, threshold: number): Message {
  return {
    event: 'high_load',
    topic: 'load',
    subject: `High load: ${Math.round(percent)}%`,
    lines: [`The load of the machine is ${Math.round(percent)}%; the threshold is ${threshold}%.`],
  };
}

/** @param what one sentence from the audit log */
export function changeMessage(event: 'user_change' | 'rule_change', what: string, actor: string): Message {
  const subject = event === 'user_change' ? 'Users were changed' : 'Protection rules were changed';
  return { event, topic: event, subject, lines: [`${what} (by ${actor})`] };
}

/** @param type as the test call has it */
export function testMessage(type: 'attack' | 'sitedown'): Message {
  const what =
    type === 'attack' ? 'an attack went over its threshold' : 'a site stopped answering its health checks';
  return {
    event: 'test',
    topic: `test:${type}`,
    subject: type === 'attack' ? 'Test: attacks within a minute' : 'Test: site is down',
    lines: [`This is a test. A message like this one tells that ${what}. Nothing has happened.`],
  };
}

const maxSummarized = 50;

/** One message for all that was held in the quiet hours, so that none is lost and nobody gets fifty. */
export function summaryMessage(
  held: readonly { readonly time: number; readonly subject: string; readonly occurrences: number }[],
  clockOf: (time: number) => string,
): Message {
  const shown = held.slice(0, maxSummarized).map(({ time, subject, occurrences }) => {
    const times = occurrences > 1 ? ` (${occurrences} times)` : '';
    return `${clockOf(time)} ${subject}${times}`;
  });
  const rest = held.length - shown.length;
  return {
    event: 'summary',
    topic: 'summary',
    subject: `${held.length} ${held.length === 1 ? 'notification' : 'notifications'} from the quiet hours`,
    lines: [...shown, ...(rest > 0 ? [`and ${rest} more`] : [])],
  };
}
