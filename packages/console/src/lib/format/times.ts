import type { Preferences } from '@portcullis/contract/users';

/** The part of the preferences that decides how a moment is written. */
export type TimeStyle = Pick<Preferences, 'timezone' | 'dateFormat' | 'timeFormat'>;

interface Parts {
  year: string;
  month: string;
  day: string;
  hour: string;
  minute: string;
  second: string;
  dayPeriod: string;
}

const cache = new Map<string, Intl.DateTimeFormat>();

function formatter(style: TimeStyle): Intl.DateTimeFormat {
  const key = `${style.timezone} ${style.timeFormat}`;
  const known = cache.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: style.timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: style.timeFormat === '24h' ? 'h23' : 'h12',
  });
  cache.set(key, made);
  return made;
}

function partsOf(date: Date, style: TimeStyle): Parts {
  const parts: Partial<Record<string, string>> = {};
  for (const { type, value } of formatter(style).formatToParts(date)) parts[type] = value;
  const read = (name: keyof Parts): string => parts[name] ?? '';
  return {
    year: read('year'),
    month: read('month'),
    day: read('day'),
    hour: read('hour'),
    minute: read('minute'),
    second: read('second'),
    dayPeriod: read('dayPeriod'),
  };
}

/** @returns the date, or undefined for text that names no moment */
export function parseTime(text: string | number | null | undefined): Date | undefined {
  if (text === null || text === undefined || text === '') return undefined;
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** The calendar day in the user's zone and order: `11/21/2026`, `21/11/2026` or `2026-11-21`. */
export function formatDate(date: Date, style: TimeStyle): string {
  const { year, month, day } = partsOf(date, style);
  if (style.dateFormat === 'YYYY-MM-DD') return `${year}-${month}-${day}`;
  return style.dateFormat === 'DD/MM/YYYY' ? `${day}/${month}/${year}` : `${month}/${day}/${year}`;
}

/** The time of day in the user's zone: `02:05:09 PM` or `14:05:09`; without seconds when told so. */
export function formatTime(date: Date, style: TimeStyle, seconds = true): string {
  const parts = partsOf(date, style);
  const clock = seconds ? `${parts.hour}:${parts.minute}:${parts.second}` : `${parts.hour}:${parts.minute}`;
  return style.timeFormat === '24h' ? clock : `${clock} ${parts.dayPeriod}`;
}

/** Day and time of day. */
export const formatDateTime = (date: Date, style: TimeStyle): string =>
  `${formatDate(date, style)} ${formatTime(date, style)}`;

/** `just now`, `5m ago`, `2h ago`, `3d ago`. */
export function formatAge(date: Date, now: number): string {
  const minutes = Math.floor((now - date.getTime()) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes}m ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours}h ago` : `${Math.floor(hours / 24)}d ago`;
}

/** `less than 1 min ago`, `5 min ago`, `1 hour ago`, `2 hours ago`, `3 days ago`, as the notification panel says it. */
export function formatAgeInWords(date: Date, now: number): string {
  const minutes = Math.max(0, Math.floor((now - date.getTime()) / 60_000));
  if (minutes < 1) return 'less than 1 min ago';
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} hour${hours === 1 ? '' : 's'} ago`;
  const days = Math.floor(hours / 24);
  return `${days} day${days === 1 ? '' : 's'} ago`;
}
