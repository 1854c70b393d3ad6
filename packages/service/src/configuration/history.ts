import type {
  ConfigurationDifference,
  ConfigurationVersion,
  ConfigurationVersionDetail,
} from '@portcullis/contract/configuration';
import { type Selectable, sql } from 'kysely';
import type { ConfigVersionsTable, Db, Storage, Trx } from '../storage/index.ts';
import { type StoredChange, withAside } from './aside.ts';
import type { EntityChange } from './change.ts';
import { condensed, contentOf, type KeptChange } from './kept-change.ts';
import { shownChange } from './long-lists.ts';

/** Fields that change with every save and say nothing. */
const bookkeeping = new Set(['version', 'updated_at', 'created_at']);

/** An object's own age, which decides where a rule stands among others; undefined for what has no place. */
const placeOf = (side: unknown) => (side as { createdAt?: unknown } | null)?.createdAt;

/** Whether a thing was given another place among those of its kind. */
const isMoved = ({ before, after }: KeptChange) =>
  before !== null && after !== null && placeOf(before) !== placeOf(after);

/** @returns the fields in which two states differ; none where the whole came or went */
export function fieldsOf(change: KeptChange): string[] {
  const { before, after, lists = {} } = change;
  if (before === null || after === null) return [];
  const [a, b] = [contentOf(before), contentOf(after)];
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  const differ = [...names].filter(
    (name) => !bookkeeping.has(name) && JSON.stringify(a[name]) !== JSON.stringify(b[name]),
  );
  const changed = Object.entries(lists).filter(([, { removed, added }]) => removed.length + added.length > 0);
  return [...differ, ...changed.map(([name]) => name), ...(isMoved(change) ? ['order'] : [])];
}

function presentChange(change: KeptChange) {
  const { kind, id, name, before, after } = change;
  const what = before === null ? 'created' : after === null ? 'deleted' : 'updated';
  return { kind, id, name, change: what, fields: fieldsOf(change) } as const;
}

/** A change with the thing before and after it; of long lists what differs. */
export async function presentDifference(change: EntityChange): Promise<ConfigurationDifference> {
  const short = await condensed(change);
  const shown = Object.entries(short.lists ?? {}).map(([field, list]) => [field, shownChange(list)] as const);
  const side = (state: unknown, which: 'removed' | 'added') => {
    if (state === null) return null;
    const lists = shown.map(([field, one]) => [field, one[which]]);
    const place = isMoved(short) && {
      order: `with those of ${new Date(Number(placeOf(state))).toISOString()}`,
    };
    return { ...contentOf(state), ...Object.fromEntries(lists), ...place };
  };
  const long = Object.fromEntries(shown.map(([field, { counts }]) => [field, counts]));
  return {
    ...presentChange(short),
    before: side(short.before, 'removed') as ConfigurationDifference['before'],
    after: side(short.after, 'added') as ConfigurationDifference['after'],
    ...(shown.length > 0 && { long }),
  };
}

type Row = Selectable<ConfigVersionsTable>;

/** What a version changed, in its order, without long lists. */
const changesOf = (row: Pick<Row, 'changes'>) => JSON.parse(row.changes) as StoredChange[];

/** What a version changed, in its order. */
export async function readChanges(
  db: Db | Trx,
  row: Pick<Row, 'version' | 'changes'>,
): Promise<KeptChange[]> {
  const changes: KeptChange[] = [];
  for (const change of changesOf(row)) changes.push(await withAside(db, row.version, change));
  return changes;
}

/** One thing that a version touched, without how it stood: lists may have a hundred thousand addresses. */
export type Touch = ReturnType<typeof presentChange> & {
  /** of the thing itself, as it stood after; 0 where it has none */
  readonly version: number;
};

/** @returns what a history line keeps of a change */
export function touchIn(change: KeptChange): Touch {
  const { version } = (change.after ?? {}) as { version?: unknown };
  return { ...presentChange(change), version: typeof version === 'number' ? version : 0 };
}

/** A version as it is listed: `changes` only where an earlier release did not write what it touched. */
export type VersionLine = Pick<Row, 'version' | 'created_at' | 'actor' | 'reason' | 'touched'> & {
  readonly changes: string | null;
};

/** What a version touched. */
export function touchesOf({ touched, changes }: Pick<VersionLine, 'touched' | 'changes'>): Touch[] {
  if (touched !== null) return JSON.parse(touched) as Touch[];
  // Of an earlier release, which kept all of a change with it.
  return (changesOf({ changes: changes ?? '[]' }) as KeptChange[]).map(touchIn);
}

/** Lines of the history, read without what stood before and after. */
export function versionLines(db: Db | Trx) {
  return db
    .selectFrom('config_versions')
    .select(['version', 'created_at', 'actor', 'reason', 'touched'])
    .select(sql<string | null>`case when touched is null then changes end`.as('changes'));
}

function headOf(row: Pick<Row, 'version' | 'created_at' | 'actor' | 'reason'>) {
  const created_at = new Date(row.created_at).toISOString();
  return { version: row.version, created_at, author: row.actor, reason: row.reason };
}

/** A stored version as the API shows it in a list. */
export function presentVersion(line: VersionLine): ConfigurationVersion {
  return { ...headOf(line), changes: touchesOf(line).map(({ version: _own, ...change }) => change) };
}

/** A stored version with everything before and after; undefined where there is none. */
export async function readVersionDetail(
  storage: Storage,
  version: number,
): Promise<ConfigurationVersionDetail | undefined> {
  // Of one moment: a version that is dropped in between takes the lists with it that it deleted.
  const found = await storage.moment(async (trx) => {
    const row = await findVersion(trx, version);
    return row && { row, changes: await readChanges(trx, row) };
  });
  if (!found) return undefined;
  return { ...headOf(found.row), changes: await Promise.all(found.changes.map(presentDifference)) };
}

/** Newest first. @param before only versions below it */
export async function listVersions(db: Db, limit: number, before?: number): Promise<VersionLine[]> {
  let query = versionLines(db);
  if (before !== undefined) query = query.where('version', '<', before);
  return query.orderBy('version', 'desc').limit(limit).execute();
}

export async function findVersion(db: Db | Trx, version: number): Promise<Row | undefined> {
  return db.selectFrom('config_versions').selectAll().where('version', '=', version).executeTakeFirst();
}

/** How one thing stood at a version: null where it did not exist then. */
export interface EntityState {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
  readonly state: unknown;
}
