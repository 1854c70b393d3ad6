import { SecurityEvent } from '@portcullis/contract/events';
import { sql } from 'kysely';
import { containsText, type Db, type Storage, type Trx } from '../storage/index.ts';
import { dayOf, dayTable, ensureDay } from './days.ts';
import { type EventRow, insertRows } from './insert-rows.ts';

/** Rows of one statement: enough to be quick, few enough that building it does not hold the thread. */
const rowsPerInsert = 200;

/** PostgreSQL's text cannot hold NUL, which an attacker can put into a path. */
const withoutNul = (text: string) => text.replaceAll('\u0000', '\uFFFD');

function rowOf(event: SecurityEvent, body: string): EventRow {
  return {
    id: event.id,
    time: event.time,
    level: event.level,
    kind: event.kind,
    decision: event.decision,
    site_id: event.siteId ?? null,
    category: event.category ?? null,
    rule_id: event.ruleId === undefined ? null : withoutNul(event.ruleId),
    client_ip: withoutNul(event.clientIp),
    host: withoutNul(event.host),
    path: withoutNul(event.path),
    method: withoutNul(event.method),
    status: event.status,
    request_id: withoutNul(event.requestId),
    count: event.count,
    body,
  };
}

async function insertIntoDay(
  trx: Trx,
  day: number,
  events: readonly SecurityEvent[],
  dialect: Storage['dialect'],
): Promise<Set<string>> {
  const fresh = new Set<string>();
  let bytes = 0;
  for (let start = 0; start < events.length; start += rowsPerInsert) {
    const rows = events
      .slice(start, start + rowsPerInsert)
      .map((event) => rowOf(event, JSON.stringify(event)));
    for (const id of await insertRows(trx, dayTable(day), rows, dialect)) fresh.add(id);
    for (const row of rows) if (fresh.has(row.id)) bytes += row.body.length + row.path.length;
  }
  await trx
    .updateTable('event_days')
    .set({ entries: sql<number>`entries + ${fresh.size}`, bytes: sql<number>`bytes + ${bytes}` })
    .where('day', '=', day)
    .execute();
  return fresh;
}

/** Stores events by their day. @returns those that were not there before, in their order */
export async function insertEvents(
  trx: Trx,
  events: readonly SecurityEvent[],
  dialect: Storage['dialect'],
): Promise<SecurityEvent[]> {
  const byDay = Map.groupBy(events, (event) => dayOf(event.time));
  const fresh = new Set<string>();
  // In order of days, so that two writers never wait for each other's day.
  for (const [day, ofDay] of [...byDay].sort(([a], [b]) => a - b)) {
    await ensureDay(trx, day, dialect);
    for (const id of await insertIntoDay(trx, day, ofDay, dialect)) fresh.add(id);
  }
  return events.filter((event) => fresh.delete(event.id));
}

export interface EventFilter {
  readonly limit: number;
  readonly levels?: readonly string[] | undefined;
  readonly decisions?: readonly string[] | undefined;
  readonly siteId?: string | undefined;
  readonly requestId?: string | undefined;
  /** Unix milliseconds; older ones are left out */
  readonly since?: number | undefined;
  /** Unix milliseconds; this moment and newer ones are left out */
  readonly until?: number | undefined;
  /** stands somewhere in the event, whatever its case (ASCII) */
  readonly text?: string | undefined;
  readonly withCategory?: boolean | undefined;
}

/** Text as it stands inside a stored body, where quotes and control characters are escaped. */
const jsonText = (text: string) => JSON.stringify(text).slice(1, -1);

async function newestOfDay(
  db: Db,
  day: number,
  filter: EventFilter,
  limit: number,
): Promise<SecurityEvent[]> {
  let query = db.selectFrom(dayTable(day)).select('body');
  if (filter.levels) query = query.where('level', 'in', [...filter.levels]);
  if (filter.decisions) query = query.where('decision', 'in', [...filter.decisions]);
  if (filter.siteId !== undefined) query = query.where('site_id', '=', filter.siteId);
  if (filter.requestId !== undefined) query = query.where('request_id', '=', filter.requestId);
  if (filter.since !== undefined) query = query.where('time', '>=', filter.since);
  if (filter.until !== undefined) query = query.where('time', '<', filter.until);
  if (filter.text !== undefined) query = query.where(containsText(sql.ref('body'), jsonText(filter.text)));
  if (filter.withCategory) query = query.where('category', 'is not', null);
  const rows = await query.orderBy('time', 'desc').orderBy('seq', 'desc').limit(limit).execute();
  return rows.map((row) => SecurityEvent.parse(JSON.parse(row.body)));
}

/** The newest events that fit, newest first; days are read from the newest on until there are enough. */
export async function newestEvents(db: Db, filter: EventFilter): Promise<SecurityEvent[]> {
  let days = db.selectFrom('event_days').select('day').orderBy('day', 'desc');
  if (filter.since !== undefined) days = days.where('day', '>=', dayOf(filter.since));
  if (filter.until !== undefined) days = days.where('day', '<=', dayOf(filter.until));
  const found: SecurityEvent[] = [];
  for (const { day } of await days.execute()) {
    found.push(...(await newestOfDay(db, day, filter, filter.limit - found.length)));
    if (found.length >= filter.limit) break;
  }
  return found;
}
