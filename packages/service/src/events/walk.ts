import { type RawBuilder, sql } from 'kysely';
import { classOf, type Db, type Storage } from '../storage/index.ts';
import { classesOf } from './classes.ts';
import { dayTable } from './days.ts';
import { classCondition, type RowFilter, textCondition } from './filter.ts';

/** A place in the order of a day's events. */
export interface Place {
  readonly time: number;
  readonly seq: number;
}

/** The events of one day that are looked through, newest first. */
export interface Walk {
  readonly read: Db;
  readonly dialect: Storage['dialect'];
  /** UTC as YYYYMMDD */
  readonly day: number;
  readonly filter: RowFilter;
  /** one walk for each of these; undefined: one walk over all, where each row's class is looked at */
  readonly classes: readonly string[] | undefined;
}

/** The ways to the same events: over all by request, address or time, and over each class that fits. */
export interface Walks {
  readonly broad: Walk;
  /** absent where the filter does not tell classes apart, or a request names the events */
  readonly byClass?: Walk & { readonly classes: readonly string[] };
}

/** @returns undefined where the day has nothing that fits */
export async function walksOf(place: Omit<Walk, 'classes'>): Promise<Walks | undefined> {
  const broad = { ...place, classes: undefined };
  if (place.filter.requestId !== undefined) return { broad };
  const classes = await classesOf(place, place.filter);
  if (!classes) return { broad };
  return classes.length === 0 ? undefined : { broad, byClass: { ...place, classes } };
}

const inOrder = sql`order by time desc, seq desc`;

/** The rows of one walk. @param key of the class that is walked, as SQL */
function conditions({ dialect, filter }: Walk, below: Place | undefined, key?: RawBuilder<unknown>) {
  const { from, to, requestId, clientIp } = filter;
  // By a request's own index, and by no other.
  const address = requestId === undefined ? sql`client_ip` : sql`client_ip || ''`;
  const parts = [
    ...(requestId === undefined ? [] : [sql`request_id = ${requestId}`]),
    ...(clientIp === undefined ? [] : [sql`${address} = ${clientIp}`]),
    ...(key ? [sql`${classOf(dialect)} = ${key}`] : []),
    ...(from === undefined ? [] : [sql`time >= ${from}`]),
    ...(to === undefined ? [] : [sql`time < ${to}`]),
    ...(below ? [sql`(time, seq) < (${below.time}, ${below.seq})`] : []),
  ];
  return parts.length === 0 ? sql`1 = 1` : sql.join(parts, sql` and `);
}

/** The rows from `skip` on, `limit` of them, of each walk. */
function rowsOf(walk: Walk, below: Place | undefined, limit: number, skip = 0): RawBuilder<unknown> {
  const { dialect, day, classes } = walk;
  const table = sql.table(dayTable(day));
  const end = sql`${inOrder} limit ${limit} offset ${skip}`;
  if (!classes) return sql`(select * from ${table} where ${conditions(walk, below)} ${end}) e`;
  if (dialect === 'postgres') {
    return sql`unnest(${[...classes]}::text[]) as c(key) cross join lateral
      (select * from ${table} where ${conditions(walk, below, sql`c.key`)} ${end}) e`;
  }
  // SQLite has no lateral join, but looks rows up by a list that depends on the class.
  return sql`json_each(${JSON.stringify(classes)}) c cross join ${table} e on e.seq in
    (select seq from ${table} where ${conditions(walk, below, sql`c.value`)} ${end})`;
}

/** So many selects SQLite puts together in one statement. @see sqlite.org/limits.html */
const maxCompound = 500;

/**
 * The newest rows of all walks together, where no row has to be looked into: their order is found in the index alone,
 * and only those that are wanted are read. From a cold disk a page of eighty classes is two hundred reads that way,
 * and was eighteen hundred.
 * @returns undefined where the dialect reads every row of a walk anyway, or there are too many walks
 */
export function newestOf(
  walk: Walk,
  below: Place | undefined,
  wanted: number,
): RawBuilder<unknown> | undefined {
  const { dialect, day, classes } = walk;
  // PostgreSQL looks each row of such an index up in its table, to see whether it is there at all.
  if (dialect !== 'sqlite' || !classes || classes.length > maxCompound) return undefined;
  const table = sql.table(dayTable(day));
  const ofClass = (name: string) =>
    sql`select * from (select time, seq from ${table}
      where ${conditions(walk, below, sql`${name}`)} ${inOrder} limit ${wanted})`;
  const all = sql.join(classes.map(ofClass), sql` union all `);
  return sql`${table} e where e.seq in (select seq from (${all}) ${inOrder} limit ${wanted})`;
}

/**
 * How far down rows may be read so that no walk has more than `perWalk` of them: all above and with it are known.
 * @returns undefined where all walks end before
 */
export async function bottomOf(
  walk: Walk,
  below: Place | undefined,
  perWalk: number,
): Promise<Place | undefined> {
  const { rows } = await sql<Place>`
    select e.time, e.seq from ${rowsOf(walk, below, 1, perWalk - 1)}
    order by e.time desc, e.seq desc limit 1`.execute(walk.read);
  return rows[0];
}

/** Rows between two places, the upper one left out. */
export interface Slice {
  readonly below: Place | undefined;
  /** undefined: to the end */
  readonly bottom: Place | undefined;
  /** rows of one walk at most */
  readonly perWalk: number;
}

/** @returns what stands after `from` in a statement over the rows of a slice that fit; its columns are those of `e` */
export function sliceOf(walk: Walk, { below, bottom, perWalk }: Slice): RawBuilder<unknown> {
  const above = bottom ? sql`(e.time, e.seq) >= (${bottom.time}, ${bottom.seq})` : sql`1 = 1`;
  const ofClass = walk.classes ? sql`1 = 1` : classCondition(walk.filter);
  return sql`${rowsOf(walk, below, perWalk)}
    where ${above} and ${ofClass} and ${textCondition(walk.filter, walk.dialect)}`;
}
