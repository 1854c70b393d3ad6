import type { EventFacets, Facet } from '@portcullis/contract/events';
import { sql } from 'kysely';
import type { Db, Storage } from '../storage/index.ts';
import { dayTable } from './days.ts';
import { dayFits, type RowFilter, textCondition, whereIndexed } from './filter.ts';

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

async function countIn(
  read: Db,
  dialect: Storage['dialect'],
  filter: RowFilter,
  day: number,
  limit: number,
  column: (typeof fields)[FieldName],
): Promise<{ value: string | null; count: number }[]> {
  const sample = whereIndexed(
    read
      .selectFrom(dayTable(day))
      .select(['path', 'body', 'count'])
      .select(sql.ref<string>(column).as('value')),
    filter,
    dialect,
  )
    .orderBy('time', 'desc')
    .orderBy('seq', 'desc')
    .limit(limit)
    .as('sample');
  return read
    .selectFrom(sample)
    .select(['value', sql<number>`cast(sum(count) as bigint)`.as('count')])
    .where(textCondition(filter, dialect))
    .groupBy('value')
    .execute();
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

/**
 * @param countryOf absent: countries are not counted
 * @returns the most frequent values of each field, counted over the newest events that fit
 */
export async function countFacets(
  read: Db,
  dialect: Storage['dialect'],
  filter: RowFilter,
  countryOf?: (address: string) => string | undefined,
): Promise<Omit<EventFacets, 'actions'> & { decisions: Facet[] }> {
  const totals = new Map<FieldName, Map<string, number>>();
  const days = await read
    .selectFrom('event_days')
    .select(['day', 'entries'])
    .orderBy('day', 'desc')
    .execute();
  let left = sampleSize;
  for (const { day, entries } of days) {
    if (left <= 0) break;
    if (!dayFits(day, filter)) continue;
    for (const [name, column] of Object.entries(fields) as [FieldName, (typeof fields)[FieldName]][]) {
      const counts = totals.get(name) ?? new Map<string, number>();
      totals.set(name, counts);
      for (const { value, count } of await countIn(read, dialect, filter, day, left, column)) {
        if (value === null) continue;
        // Attackers vary the query; who asks where they aim asks for the path.
        const counted = name === 'paths' ? (value.split('?', 1)[0] ?? value) : value;
        counts.set(counted, (counts.get(counted) ?? 0) + count);
      }
    }
    left -= entries;
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
