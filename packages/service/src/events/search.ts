import { SecurityEvent } from '@portcullis/contract/events';
import { sql } from 'kysely';
import type { Db, Storage } from '../storage/index.ts';
import { dayTable } from './days.ts';
import { byValue, dayFits, type RowFilter, readsEveryRow, textCondition, whereIndexed } from './filter.ts';

/** Where a page ended: the next one starts below. */
export interface Position {
  readonly day: number;
  readonly time: number;
  readonly seq: number;
}

export const encodeCursor = ({ day, time, seq }: Position) => `${day}.${time}.${seq}`;

/** @returns undefined for text that is no cursor of ours */
export function decodeCursor(text: string): Position | undefined {
  const [, day, time, seq] = /^(\d{8})\.(\d{1,16})\.(\d{1,16})$/.exec(text) ?? [];
  return day === undefined ? undefined : { day: Number(day), time: Number(time), seq: Number(seq) };
}

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

/** Rows that one statement reads at most where each row is looked at, so that other readers get their turn. */
const sliceRows = 5000;

interface Row {
  readonly time: number;
  readonly seq: number;
  readonly body: string;
}

function rowsBelow({ read, dialect, filter }: SearchOptions, day: number, after: Position | undefined) {
  let query = whereIndexed(read.selectFrom(dayTable(day)).select(['time', 'seq']), filter, dialect);
  if (after?.day === day) query = query.where(sql<boolean>`(time, seq) < (${after.time}, ${after.seq})`);
  return query.orderBy('time', 'desc').orderBy('seq', 'desc');
}

/** Each value of a list has its own walk of an index, and the newest of all of them make the page. */
function newestBelow(options: SearchOptions, day: number, after: Position | undefined, wanted: number) {
  const { read, filter } = options;
  const [first, ...others] = byValue(filter).map((part) =>
    rowsBelow({ ...options, filter: part }, day, after)
      .select('body')
      .limit(wanted),
  );
  if (!first || others.length === 0) return rowsBelow(options, day, after).select('body').limit(wanted);
  const wrapped = (query: typeof first) => read.selectFrom(query.as('some')).select(['time', 'seq', 'body']);
  const all = others.reduce((union, query) => union.unionAll(wrapped(query)), wrapped(first));
  return read
    .selectFrom(all.as('found'))
    .select(['time', 'seq', 'body'])
    .orderBy('time', 'desc')
    .orderBy('seq', 'desc')
    .limit(wanted);
}

/** The rows of one slice that fit, and where the slice ended if there may be more below. */
async function readSlice(
  options: SearchOptions,
  day: number,
  after: Position | undefined,
  wanted: number,
): Promise<{ rows: Row[]; end: Position | undefined }> {
  const { read, dialect, filter } = options;
  const below = rowsBelow(options, day, after);
  if (!readsEveryRow(filter)) {
    const rows = await newestBelow(options, day, after, wanted).execute();
    const last = rows.at(-1);
    return { rows, end: last && rows.length === wanted ? { day, ...position(last) } : undefined };
  }
  const slice = below.select(['body', 'path']).limit(sliceRows).as('slice');
  const rows = await read
    .selectFrom(slice)
    .select(['time', 'seq', 'body'])
    .where(textCondition(filter, dialect))
    .orderBy('time', 'desc')
    .orderBy('seq', 'desc')
    .limit(wanted)
    .execute();
  const last = rows.at(-1);
  if (last && rows.length === wanted) return { rows, end: { day, ...position(last) } };
  const bottom = await below
    .limit(1)
    .offset(sliceRows - 1)
    .executeTakeFirst();
  return { rows, end: bottom && { day, ...position(bottom) } };
}

const position = ({ time, seq }: { time: number; seq: number }) => ({ time, seq });

/**
 * One page of the events that fit, newest first. Filters with an index cost the page alone; those by text read on
 * in slices until the page is full or the time is over, and then say where to go on.
 */
export async function searchEvents(options: SearchOptions): Promise<SearchPage> {
  const { read, filter, limit, timeLimitMs = 1500 } = options;
  const started = performance.now();
  const days = await read.selectFrom('event_days').select('day').orderBy('day', 'desc').execute();
  const events: SecurityEvent[] = [];
  let after = options.after;
  for (const { day } of days) {
    if (!dayFits(day, filter) || (after && day > after.day)) continue;
    for (;;) {
      const { rows, end } = await readSlice(options, day, after, limit - events.length);
      events.push(...rows.map((row) => SecurityEvent.parse(JSON.parse(row.body))));
      if (end) after = end;
      if (end && events.length >= limit) return { events, next: end, partial: false };
      if (end && performance.now() - started > timeLimitMs) return { events, next: end, partial: true };
      if (!end) break;
    }
  }
  return { events, partial: false };
}
