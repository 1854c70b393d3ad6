import { actionOfDecision, decisions, type EventFilter } from '@portcullis/contract/events';
import { type SelectQueryBuilder, sql } from 'kysely';
import type { Database, EventsTable, Storage } from '../storage/index.ts';
import { type DayTable, dayOf } from './days.ts';

type DayQuery<O> = SelectQueryBuilder<Database, DayTable, O>;

/** A filter as SQL sees it: what has an index, and what every row must be looked at for. */
export interface RowFilter {
  /** Unix milliseconds, [from, to) */
  readonly from: number | undefined;
  readonly to: number | undefined;
  /** columns by value, the most selective first; the first one with a single value names the index */
  readonly columns: readonly { readonly name: IndexedColumn; readonly values: readonly string[] }[];
  readonly pathPrefix: string | undefined;
  /** first digit of the answer's status */
  readonly statusClass: string | undefined;
  /** as it stands within a JSON text */
  readonly text: string | undefined;
}

type IndexedColumn = keyof Pick<
  EventsTable,
  'request_id' | 'client_ip' | 'rule_id' | 'category' | 'site_id' | 'decision' | 'level'
>;

/** Which decisions an action filter asks for: `blocked` means block. */
export function decisionsOf(actions: readonly string[] | undefined): string[] | undefined {
  return actions && decisions.filter((decision) => actions.includes(actionOfDecision[decision]));
}

/** @returns the filter in terms of columns */
export function rowFilter(filter: EventFilter): RowFilter {
  const one = (value: string | undefined) => (value === undefined ? undefined : [value]);
  const wanted: [IndexedColumn, readonly string[] | undefined][] = [
    ['request_id', one(filter.requestId)],
    ['client_ip', one(filter.clientIp)],
    ['rule_id', one(filter.ruleId)],
    ['category', filter.category],
    ['site_id', one(filter.siteId)],
    ['decision', decisionsOf(filter.action)],
    ['level', filter.level],
  ];
  return {
    from: filter.from === undefined ? undefined : Date.parse(filter.from),
    to: filter.to === undefined ? undefined : Date.parse(filter.to),
    columns: wanted.flatMap(([name, values]) => (values ? [{ name, values }] : [])),
    pathPrefix: filter.path,
    statusClass: filter.status?.slice(0, 1),
    text: filter.text ? JSON.stringify(filter.text).slice(1, -1) : undefined,
  };
}

/**
 * A list of values is no one place in an index, and the rows between them may be all of a day: so where no column has
 * a single value, each value of the first list is a filter of its own.
 * @returns filters that together find what the given one does, each row once
 */
export function byValue(filter: RowFilter): RowFilter[] {
  const [list] = filter.columns;
  if (list === undefined || filter.columns.some(({ values }) => values.length < 2)) return [filter];
  return [...new Set(list.values)].map((value) => ({
    ...filter,
    columns: filter.columns.map((column) => (column === list ? { ...column, values: [value] } : column)),
  }));
}

/** Whether rows must be read one by one, which is done in slices of a bounded size. */
export function readsEveryRow({ pathPrefix, statusClass, text }: RowFilter): boolean {
  return pathPrefix !== undefined || statusClass !== undefined || text !== undefined;
}

/** @returns whether a day can hold anything that fits */
export function dayFits(day: number, { from, to }: RowFilter): boolean {
  return (from === undefined || day >= dayOf(from)) && (to === undefined || day <= dayOf(to));
}

/** Adds what an index answers. */
export function whereIndexed<O>(
  query: DayQuery<O>,
  filter: RowFilter,
  dialect: Storage['dialect'],
): DayQuery<O> {
  let built = query;
  if (filter.from !== undefined) built = built.where('time', '>=', filter.from);
  if (filter.to !== undefined) built = built.where('time', '<', filter.to);
  // Without statistics SQLite may take an index that fits half the table and sort it; the unary plus keeps it from
  // all but the most selective one. A list of values would be sorted too, so there the time's index is walked.
  const single = filter.columns.filter(({ values }) => values.length === 1).map(({ name }) => name);
  const [leading] = single;
  for (const { name, values } of filter.columns) {
    // A list without a value fits nothing; PostgreSQL refuses it as no list.
    if (values.length === 0) return built.where(sql<boolean>`1 = 0`);
    // Site and category together have an index of their own.
    const beside = leading === 'category' && name === 'site_id' && single.includes(name);
    const hidden = dialect === 'sqlite' && name !== leading && !beside;
    const column = hidden ? sql<string>`+${sql.ref(name)}` : sql.ref<string>(name);
    built = built.where(column, 'in', [...values]);
  }
  return built;
}

const likeOf = (text: string) => text.replaceAll(/[\\%_]/g, (char) => `\\${char}`);

/** @returns the conditions that need each row's text, over columns `path` and `body` */
export function textCondition({ pathPrefix, statusClass, text }: RowFilter, dialect: Storage['dialect']) {
  const like = sql.raw(dialect === 'sqlite' ? 'like' : 'ilike');
  const path =
    pathPrefix === undefined ? sql`1 = 1` : sql`path ${like} ${`${likeOf(pathPrefix)}%`} escape '\\'`;
  const body = text === undefined ? sql`1 = 1` : sql`body ${like} ${`%${likeOf(text)}%`} escape '\\'`;
  // A quote within a value is escaped, so that this stands nowhere but at the event's own field.
  const status = statusClass === undefined ? sql`1 = 1` : sql`body like ${`%"status":${statusClass}%`}`;
  return sql<boolean>`${path} and ${status} and ${body}`;
}
