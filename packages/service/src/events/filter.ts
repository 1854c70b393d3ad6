import { actionOfDecision, decisions, type EventFilter } from '@portcullis/contract/events';
import { type RawBuilder, sql } from 'kysely';
import type { ClassColumn, Storage } from '../storage/index.ts';
import { dayOf } from './days.ts';

/** A filter as SQL sees it: what has an index, and what every row must be looked at for. */
export interface RowFilter {
  /** Unix milliseconds, [from, to) */
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly requestId: string | undefined;
  readonly clientIp: string | undefined;
  /** columns of an event's class, each with the values that fit */
  readonly classes: readonly { readonly name: ClassColumn; readonly values: readonly string[] }[];
  /** whether events without a category are left out */
  readonly withCategory: boolean;
  readonly pathPrefix: string | undefined;
  /** first digit of the answer's status */
  readonly statusClass: string | undefined;
  /** decisions that were not carried out, one of which it was */
  readonly would: readonly string[] | undefined;
  /** stands in one of {@link searched} */
  readonly text: string | undefined;
}

/** Which decisions an action filter asks for: `blocked` means block. */
export function decisionsOf(actions: readonly string[] | undefined): string[] | undefined {
  return actions && decisions.filter((decision) => actions.includes(actionOfDecision[decision]));
}

/** @returns the filter in terms of columns */
export function rowFilter(filter: EventFilter): RowFilter {
  const one = (value: string | undefined) => (value === undefined ? undefined : [value]);
  const wanted: [ClassColumn, readonly string[] | undefined][] = [
    ['site_id', one(filter.siteId)],
    ['level', filter.level],
    // What was not carried out is logged, which leaves few classes to look through.
    ['decision', decisionsOf(filter.action ?? (filter.would && ['logged']))],
    ['category', filter.category],
    ['rule_id', one(filter.ruleId)],
  ];
  return {
    from: filter.from === undefined ? undefined : Date.parse(filter.from),
    to: filter.to === undefined ? undefined : Date.parse(filter.to),
    requestId: filter.requestId,
    clientIp: filter.clientIp,
    // What is empty in a class is not there in the event, and is asked for by nobody.
    classes: wanted.flatMap(([name, values]) =>
      values ? [{ name, values: values.filter((value) => value !== '') }] : [],
    ),
    withCategory: false,
    pathPrefix: filter.path,
    statusClass: filter.status?.slice(0, 1),
    would: filter.would,
    text: filter.text || undefined,
  };
}

/** Whether rows must be read one by one, which is done in slices of a bounded size. */
export function readsEveryRow({ pathPrefix, statusClass, would, text }: RowFilter): boolean {
  return [pathPrefix, statusClass, would, text].some((asked) => asked !== undefined);
}

/** Whether classes of events are told apart by it. */
export function tellsClasses({ classes, withCategory }: RowFilter): boolean {
  return classes.length > 0 || withCategory;
}

/** @returns whether a day can hold anything that fits */
export function dayFits(day: number, { from, to }: RowFilter): boolean {
  return (from === undefined || day >= dayOf(from)) && (to === undefined || day <= dayOf(to));
}

/** @returns the condition of a row's class, for rows that another index found */
export function classCondition({ classes, withCategory }: RowFilter) {
  const conditions = classes.map(({ name, values }) =>
    values.length === 0 ? sql`1 = 0` : sql`${sql.ref(name)} in (${sql.join([...values])})`,
  );
  if (withCategory) conditions.push(sql`category is not null`);
  return conditions.length === 0 ? sql`1 = 1` : sql.join(conditions, sql` and `);
}

const likeOf = (text: string) => text.replaceAll(/[\\%_]/g, (char) => `\\${char}`);

/** Where a text is looked for; the rest of an event are names of fields and what has filters of its own. */
const searched = {
  columns: ['path', 'host', 'client_ip', 'rule_id', 'request_id'],
  fields: ['message', 'userAgent'],
} as const;

/** The JSON text is looked at first: most rows hold the text nowhere, and to find its place costs more. */
function holdsText(text: string, dialect: Storage['dialect']) {
  const like = sql.raw(dialect === 'sqlite' ? 'like' : 'ilike');
  const holds = (value: RawBuilder<unknown>, what: string) =>
    sql`${value} ${like} ${`%${likeOf(what)}%`} escape '\\'`;
  const escaped = JSON.stringify(text).slice(1, -1);
  const places = [
    ...searched.columns.map((column) => holds(sql.ref(`e.${column}`), text)),
    ...searched.fields.map((field) =>
      dialect === 'sqlite'
        ? holds(sql`json_extract(e.body, ${`$.${field}`})`, text)
        : // Not read as JSON, of which PostgreSQL refuses what a text may not hold. A quote within a value is escaped.
          sql`e.body ~* ${`"${field}":"([^"\\\\]|\\\\.)*${escaped.replaceAll(/[^A-Za-z0-9\s]/g, (char) => (char > '~' ? char : `\\${char}`))}`}`,
    ),
  ];
  return sql`${holds(sql`e.body`, escaped)} and (${sql.join(places, sql` or `)})`;
}

/** @returns the conditions that need each row's text, of rows named `e`: SQLite's `json_each` has a `path` too */
export function textCondition(filter: RowFilter, dialect: Storage['dialect']) {
  const { pathPrefix, statusClass, would, text } = filter;
  const like = sql.raw(dialect === 'sqlite' ? 'like' : 'ilike');
  const path =
    pathPrefix === undefined ? sql`1 = 1` : sql`e.path ${like} ${`${likeOf(pathPrefix)}%`} escape '\\'`;
  const body = text === undefined ? sql`1 = 1` : holdsText(text, dialect);
  // A quote within a value is escaped, so that this stands nowhere but at the event's own field.
  const status = statusClass === undefined ? sql`1 = 1` : sql`e.body like ${`%"status":${statusClass}%`}`;
  const held = would?.map((decision) => sql`e.body like ${`%"would":"${decision}"%`}`);
  const withheld = held === undefined ? sql`1 = 1` : sql`(${sql.join([sql`1 = 0`, ...held], sql` or `)})`;
  return sql<boolean>`${path} and ${status} and ${withheld} and ${body}`;
}
