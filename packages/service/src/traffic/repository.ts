import type { Counters } from '@portcullis/contract/link';
import { type ExpressionBuilder, sql } from 'kysely';
import { type Database, type Db, type SumColumn, sumColumns, type Trx } from '../storage/index.ts';
import { addSums, type Sums, sumsOf } from './sums.ts';

const minuteMs = 60_000;
const hourMs = 3_600_000;

/** Rows of one statement; each has as many parameters as there are columns. */
const rowsPerUpsert = 100;

type TrafficTableName = 'traffic_minute' | 'traffic_hour' | 'traffic_total';
type TrafficRow = Sums & { site_id: string; time?: number };

/** Adds up what falls into the same row, in the order of the key, so that two writers cannot lock each other. */
function grouped(counters: readonly Counters[], periodMs: number | undefined): TrafficRow[] {
  const rows = new Map<string, TrafficRow>();
  for (const counter of counters) {
    const site_id = counter.siteId ?? '';
    const time = periodMs === undefined ? undefined : Math.floor(counter.minute / periodMs) * periodMs;
    const key = `${String(time ?? 0).padStart(16, '0')} ${site_id}`;
    const sums = sumsOf(counter);
    const before = rows.get(key);
    rows.set(key, {
      ...(before ? addSums(before, sums) : sums),
      site_id,
      ...(time !== undefined && { time }),
    });
  }
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

async function upsert(trx: Trx, table: TrafficTableName, rows: readonly TrafficRow[]): Promise<void> {
  const added = Object.fromEntries(
    sumColumns.map((column) => [
      column,
      sql<number>`${sql.ref(`${table}.${column}`)} + ${sql.ref(`excluded.${column}`)}`,
    ]),
  ) as Record<SumColumn, ReturnType<typeof sql<number>>>;
  for (let start = 0; start < rows.length; start += rowsPerUpsert) {
    await trx
      // The three tables differ in the time column alone, which `grouped` left out for the totals.
      .insertInto(table as 'traffic_minute')
      .values(rows.slice(start, start + rowsPerUpsert) as (Sums & { site_id: string; time: number })[])
      .onConflict((conflict) =>
        conflict
          .columns((table === 'traffic_total' ? ['site_id'] : ['time', 'site_id']) as ['time', 'site_id'])
          .doUpdateSet(added),
      )
      .execute();
  }
}

/** Adds a batch to the minute, the hour and the total of each site. */
export async function addCounters(trx: Trx, counters: readonly Counters[]): Promise<void> {
  if (counters.length === 0) return;
  await upsert(trx, 'traffic_minute', grouped(counters, minuteMs));
  await upsert(trx, 'traffic_hour', grouped(counters, hourMs));
  await upsert(trx, 'traffic_total', grouped(counters, undefined));
}

/** All-time sums by site; the empty id stands for hosts of no site. */
export async function readTotals(db: Db) {
  return db.selectFrom('traffic_total').selectAll().execute();
}

const total = (column: SumColumn) => (eb: ExpressionBuilder<Database, 'traffic_minute' | 'traffic_hour'>) =>
  eb.cast<number>(eb.fn.sum<number>(column), 'bigint').as(column);

/** What each site did since a moment, from whole minutes, which go back a week, or from hours. */
export async function readRecent(
  db: Db,
  since: number,
  table: 'traffic_minute' | 'traffic_hour' = 'traffic_minute',
) {
  return db
    .selectFrom(table as 'traffic_minute')
    .select('site_id')
    .select(total('requests'))
    .select(total('blocked'))
    .select(total('status_5xx'))
    .select(total('duration_ms'))
    .where('time', '>=', since)
    .groupBy('site_id')
    .execute();
}

/** Requests and blocks by hour over all sites, oldest first; hours without traffic are absent. */
export async function readHours(db: Db, since: number) {
  return db
    .selectFrom('traffic_hour')
    .select('time')
    .select(total('requests'))
    .select(total('blocked'))
    .where('time', '>=', since)
    .groupBy('time')
    .orderBy('time')
    .execute();
}

/** Where sums lie by minute, for a week, and by hour, for a year. */
type TrafficGrain = 'minute' | 'hour';

/**
 * All sums by step of time, oldest first; steps without traffic are absent.
 * @param query.since Unix milliseconds, on a whole step. @param query.stepMs a multiple of the grain
 */
export async function readSteps(
  db: Db,
  query: { grain: TrafficGrain; since: number; stepMs: number; siteId: string | undefined },
): Promise<(Sums & { time: number })[]> {
  const { grain, since, stepMs, siteId } = query;
  // The two tables have the same columns.
  let select = db
    .selectFrom(`traffic_${grain}` as 'traffic_minute')
    .select(sql<number>`time - (time % ${sql.lit(stepMs)})`.as('step'))
    .select(sumColumns.map((column) => total(column)))
    .where('time', '>=', since);
  if (siteId !== undefined) select = select.where('site_id', '=', siteId);
  const rows = await select.groupBy('step').orderBy('step').execute();
  return rows.map(({ step, ...sums }) => ({ ...sums, time: step }) as Sums & { time: number });
}
