import type {
  ConfigurationDifference,
  ConfigurationVersion,
  ConfigurationVersionDetail,
} from '@portcullis/contract/configuration';
import { type Selectable, sql } from 'kysely';
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
const entriesOf = (row: Pick<Row, 'changes'>) => JSON.parse(row.changes) as EntityChange[];

/** One thing that a version touched, without how it stood: lists may have a hundred thousand addresses. */
export type Touch = ReturnType<typeof presentChange> & {
  /** of the thing itself, as it stood after; 0 where it has none */
  readonly version: number;
};

/** @returns what a history line keeps of a change */
export function touchIn(change: EntityChange): Touch {
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
  return entriesOf({ changes: changes ?? '[]' }).map(touchIn);
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

/** The same with everything before and after. */
export function presentVersionDetail(row: Row): ConfigurationVersionDetail {
  return { ...headOf(row), changes: entriesOf(row).map(presentDifference) };
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

/** Lines that are read at once: those of an earlier release are as large as what they changed. */
const linesAtOnce = 50;

/** Which things changed after a version, and in which version first. */
async function firstTouches(db: Db | Trx, version: number) {
  const first = new Map<string, { readonly touch: Touch; readonly at: number }>();
  for (let below = 2 ** 31 - 1; ; ) {
    const lines = await versionLines(db)
      .where('version', '>', version)
      .where('version', '<', below)
      .orderBy('version', 'desc')
      .limit(linesAtOnce)
      .execute();
    // From the newest to the oldest, so that the oldest is what stays.
    for (const line of lines) {
      for (const touch of touchesOf(line))
        first.set(`${touch.kind} ${touch.id}`, { touch, at: line.version });
    }
    below = lines.at(-1)?.version ?? below;
    if (lines.length < linesAtOnce) return [...first.values()];
  }
}

/**
 * Everything that changed after a version, as it stood at it: of each thing the oldest `before` among the later
 * versions. Only the versions that hold one of those are read whole, one after the other.
 */
export async function statesAt(db: Db | Trx, version: number): Promise<EntityState[]> {
  const touched = await firstTouches(db, version);
  const states = new Map<Touch, EntityState>();
  for (const at of new Set(touched.map((one) => one.at))) {
    const row = await findVersion(db, at);
    const entries = row ? entriesOf(row) : [];
    for (const { touch } of touched.filter((one) => one.at === at)) {
      const { kind, id } = touch;
      // The first of a version that names it is how it stood before all of that version.
      const entry = entries.find((one) => one.kind === kind && one.id === id);
      if (entry) states.set(touch, { kind, id, name: entry.name, state: entry.before });
    }
  }
  return touched.flatMap(({ touch }) => states.get(touch) ?? []);
}
