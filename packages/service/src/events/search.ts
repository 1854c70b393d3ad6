import { SecurityEvent } from '@portcullis/contract/events';
import type { Db, Storage } from '../storage/index.ts';
import { startOfDay } from './days.ts';
import { dayFits, type RowFilter } from './filter.ts';
import { readDay } from './page.ts';
import { type Place, walksOf } from './walk.ts';

/** Where a page ended: the next one starts below. */
export interface Position extends Place {
  readonly day: number;
}

export const encodeCursor = ({ day, time, seq }: Position) => `${day}.${time}.${seq}`;

/** @returns undefined for text that is no cursor of ours */
export function decodeCursor(text: string): Position | undefined {
  const [, day, time, seq] = /^(\d{8})\.(\d{1,16})\.(\d{1,16})$/.exec(text) ?? [];
  return day === undefined ? undefined : { day: Number(day), time: Number(time), seq: Number(seq) };
}

/** Below all events of a day, so that the search goes on with the day before. */
const endOf = (day: number): Position => ({ day, time: startOfDay(day), seq: 0 });

const isRead = (day: number, after: Position) =>
  day > after.day || (day === after.day && after.seq === 0 && after.time === startOfDay(day));

export interface SearchPage {
  /** newest first */
  readonly events: SecurityEvent[];
  /** absent on the last page */
  readonly next?: Position;
  /** the time ran out before the page was full */
  readonly partial: boolean;
}

export interface SearchOptions {
  readonly read: Db;
  readonly dialect: Storage['dialect'];
  readonly filter: RowFilter;
  readonly limit: number;
  readonly after?: Position | undefined;
  /** for filters that read every row */
  readonly timeLimitMs?: number;
}

/**
 * One page of the events that fit, newest first. Filters with an index cost the page alone; those by text read on
 * in slices until the page is full or the time is over, and then say where to go on.
 */
export async function searchEvents(options: SearchOptions): Promise<SearchPage> {
  const { read, dialect, filter, limit, timeLimitMs = 1500 } = options;
  const started = performance.now();
  const days = await read.selectFrom('event_days').select('day').orderBy('day', 'desc').execute();
  const events: SecurityEvent[] = [];
  for (const { day } of days) {
    if (!dayFits(day, filter) || (options.after && isRead(day, options.after))) continue;
    const walks = await walksOf({ read, dialect, day, filter });
    if (!walks) continue;
    const below = options.after?.day === day ? options.after : undefined;
    for await (const { rows, end } of readDay(walks, below, () => limit - events.length)) {
      events.push(...rows.map((row) => SecurityEvent.parse(JSON.parse(row.body))));
      const next = end ? { day, time: end.time, seq: end.seq } : endOf(day);
      if (end && events.length >= limit) return { events, next, partial: false };
      // At the end of a day too, for there may be hundreds that are each read in one piece.
      if (performance.now() - started > timeLimitMs) return { events, next, partial: true };
      if (!end) break;
    }
  }
  return { events, partial: false };
}
