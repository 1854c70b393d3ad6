import type {
  ConfigurationDifference,
  ConfigurationVersion,
  ConfigurationVersionDetail,
} from '@portcullis/contract/configuration';
import type { Selectable } from 'kysely';
import type { ConfigVersionsTable, Db, Trx } from '../storage/index.ts';
import type { EntityChange } from './change.ts';

/** What a history line compares: the value where an object wraps one, for the wrapping changes each time. */
function contentOf(side: unknown): Record<string, unknown> {
  if (typeof side !== 'object' || side === null) return {};
  const { value } = side as { value?: unknown };
  return (typeof value === 'object' && value !== null ? value : side) as Record<string, unknown>;
}

/** Fields that change with every save and say nothing. */
const bookkeeping = new Set(['version', 'updated_at', 'created_at']);

/** @returns the fields in which two states differ; none where the whole came or went */
export function fieldsOf({ before, after }: EntityChange): string[] {
  if (before === null || after === null) return [];
  const [a, b] = [contentOf(before), contentOf(after)];
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].filter(
    (name) => !bookkeeping.has(name) && JSON.stringify(a[name]) !== JSON.stringify(b[name]),
  );
}

function presentChange(change: EntityChange) {
  const { kind, id, name, before, after } = change;
  const what = before === null ? 'created' : after === null ? 'deleted' : 'updated';
  return { kind, id, name, change: what, fields: fieldsOf(change) } as const;
}

/** A change with the thing before and after it. */
export function presentDifference(change: EntityChange): ConfigurationDifference {
  const side = (state: unknown) =>
    (state === null ? null : contentOf(state)) as ConfigurationDifference['before'];
  return { ...presentChange(change), before: side(change.before), after: side(change.after) };
}

type Row = Selectable<ConfigVersionsTable>;
/** What a stored version changed. */
export const entriesOf = (row: Pick<Row, 'changes'>) => JSON.parse(row.changes) as EntityChange[];

function headOf(row: Row) {
  const created_at = new Date(row.created_at).toISOString();
  return { version: row.version, created_at, author: row.actor, reason: row.reason };
}

/** A stored version as the API shows it in a list. */
export function presentVersion(row: Row): ConfigurationVersion {
  return { ...headOf(row), changes: entriesOf(row).map(presentChange) };
}

/** The same with everything before and after. */
export function presentVersionDetail(row: Row): ConfigurationVersionDetail {
  return { ...headOf(row), changes: entriesOf(row).map(presentDifference) };
}

/** Newest first. @param before only versions below it */
export async function listVersions(db: Db, limit: number, before?: number): Promise<Row[]> {
  let query = db.selectFrom('config_versions').selectAll();
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

/**
 * Everything that changed after a version, as it stood at it: of each thing the oldest `before` among the later
 * versions.
 */
export async function statesAt(db: Db | Trx, version: number): Promise<EntityState[]> {
  const rows = await db
    .selectFrom('config_versions')
    .selectAll()
    .where('version', '>', version)
    .orderBy('version', 'desc')
    .execute();
  const states = new Map<string, EntityState>();
  // From the newest to the oldest, so that the oldest is what stays.
  for (const { kind, id, name, before } of rows.flatMap((row) => entriesOf(row).reverse())) {
    states.set(`${kind} ${id}`, { kind, id, name, state: before });
  }
  return [...states.values()];
}
