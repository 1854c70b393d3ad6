import type { EventFacets, Facet } from '@portcullis/contract/events';
import { sql } from 'kysely';
import type { Db, Storage } from '../storage/index.ts';
import { dayFits, type RowFilter } from './filter.ts';
import { bottomOf, type Place, type Slice, sliceOf, type Walk, type Walks, walksOf } from './walk.ts';

/** The newest events that fit; a count over all would read the whole table for each click. */
const sampleSize = 10_000;

const topValues = 10;

const fields = {
  rules: 'rule_id',
  categories: 'category',
  addresses: 'client_ip',
  paths: 'path',
  sites: 'site_id',
  decisions: 'decision',
} as const;
type FieldName = keyof typeof fields;

/** How often each value of a column stands in a slice, by what the events stand for. */
async function countIn(
  walk: Walk,
  slice: Slice,
  column: (typeof fields)[FieldName],
): Promise<{ value: string | null; count: number }[]> {
  const value = sql.ref(`e.${column}`);
  const { rows } = await sql<{ value: string | null; count: number }>`
    select ${value} as value, cast(sum(e.count) as bigint) as count from ${sliceOf(walk, slice)}
    group by ${value}`.execute(walk.read);
  return rows;
}

/** Classes that are walked each; of more the newest events of all are looked at. */
const fewClasses = 20;

/** Slices that are looked at where events of all classes stand between those that fit. */
const slicesRead = 4;

/** The newest events of a day that fit, in slices, until there are as many as wanted. */
async function* newestSlices(
  { broad, byClass }: Walks,
  wanted: number,
): AsyncGenerator<{ walk: Walk; slice: Slice; rows: number }> {
  const walk = byClass && byClass.classes.length <= fewClasses ? byClass : broad;
  const perWalk = walk === broad ? sampleSize : wanted;
  let below: Place | undefined;
  let left = wanted;
  for (let turn = 0; turn < slicesRead && left > 0; turn += 1) {
    const bottom = await bottomOf(walk, below, perWalk);
    const slice = { below, bottom, perWalk };
    const counted = await sql<{ rows: number }>`
      select count(*) as rows from ${sliceOf(walk, slice)}`.execute(walk.read);
    const rows = counted.rows[0]?.rows ?? 0;
    yield { walk, slice, rows };
    if (!bottom) return;
    left -= rows;
    below = bottom;
  }
}

const top = (counts: ReadonlyMap<string, number>): Facet[] =>
  [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, topValues);

/** Adds the counts of addresses up by country; those that nobody knows are left out. */
function byCountry(
  addresses: ReadonlyMap<string, number>,
  countryOf: (address: string) => string | undefined,
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [address, count] of addresses) {
    const country = countryOf(address);
    if (country !== undefined) counts.set(country, (counts.get(country) ?? 0) + count);
  }
  return counts;
}

type Totals = Map<FieldName, Map<string, number>>;

function add(
  totals: Totals,
  name: FieldName,
  found: readonly { readonly value: string | null; readonly count: number }[],
): void {
  const counts = totals.get(name) ?? new Map<string, number>();
  totals.set(name, counts);
  for (const { value, count } of found) {
    if (value === null) continue;
    // Attackers vary the query; who asks where they aim asks for the path.
    const counted = name === 'paths' ? (value.split('?', 1)[0] ?? value) : value;
    counts.set(counted, (counts.get(counted) ?? 0) + count);
  }
}

/**
 * @param countryOf absent: countries are not counted
 * @returns the most frequent values of each field, counted over the newest events that fit and were found in time
 */
export async function countFacets(
  read: Db,
  dialect: Storage['dialect'],
  filter: RowFilter,
  countryOf?: (address: string) => string | undefined,
  timeLimitMs = 1500,
): Promise<Omit<EventFacets, 'actions'> & { decisions: Facet[] }> {
  const totals: Totals = new Map();
  const days = await read.selectFrom('event_days').select('day').orderBy('day', 'desc').execute();
  let left = sampleSize;
  const started = performance.now();
  for (const { day } of days) {
    if (left <= 0) break;
    const walks = dayFits(day, filter) ? await walksOf({ read, dialect, day, filter }) : undefined;
    if (!walks) continue;
    for await (const { walk, slice, rows } of newestSlices(walks, left)) {
      for (const name of Object.keys(fields) as FieldName[]) {
        add(totals, name, await countIn(walk, slice, fields[name]));
      }
      left -= rows;
      // As a search does, for by text most slices hold nothing.
      if (performance.now() - started > timeLimitMs) left = 0;
      if (left <= 0) break;
    }
  }
  const of = (name: FieldName) => totals.get(name) ?? new Map<string, number>();
  const sampled = [...of('decisions').values()].reduce((sum, count) => sum + count, 0);
  return {
    sampled,
    rules: top(of('rules')),
    categories: top(of('categories')),
    addresses: top(of('addresses')),
    paths: top(of('paths')),
    sites: top(of('sites')),
    decisions: top(of('decisions')),
    ...(countryOf && { countries: top(byCountry(of('addresses'), countryOf)) }),
  };
}
