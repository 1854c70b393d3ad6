import type { SecurityEvent } from '@portcullis/contract/events';
import { sql } from 'kysely';
import type { Storage, Trx } from '../storage/index.ts';
import { keepClasses } from './classes.ts';
import { dayOf, dayTable, ensureDay } from './days.ts';
import { type EventRow, insertRows } from './insert-rows.ts';

/** Rows of one statement: enough to be quick, few enough that building it does not hold the thread. */
const rowsPerInsert = 200;

/** PostgreSQL's text cannot hold NUL, which an attacker can put into a path. */
const withoutNul = (text: string) => text.replaceAll('\u0000', '\uFFFD');

/** @returns an event's row of a day's table */
export function rowOf(event: SecurityEvent): EventRow {
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
    body: JSON.stringify(event),
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
    const rows = events.slice(start, start + rowsPerInsert).map((event) => rowOf(event));
    for (const id of await insertRows(trx, dayTable(day), rows, dialect)) fresh.add(id);
    await keepClasses(trx, day, rows);
    for (const row of rows)
      if (fresh.has(row.id)) bytes += Buffer.byteLength(row.body) + Buffer.byteLength(row.path);
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
