import { sql } from 'kysely';
import type { Db, Trx } from '../storage/index.ts';
import { type StoredChange, setRunsAside } from './aside.ts';
import type { Author } from './change.ts';
import { touchIn } from './history.ts';
import type { KeptChange } from './kept-change.ts';

const versionKey = 'config_version';

/** Makes sure that a version is stored: 1 for a new installation. */
export async function ensureVersion(db: Db): Promise<void> {
  await db
    .insertInto('meta')
    .values({ key: versionKey, value: '1' })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** @returns the version in force, or within a change the one that it makes */
export async function storedVersion(db: Db | Trx): Promise<number> {
  const row = await db
    .selectFrom('meta')
    .select('value')
    .where('key', '=', versionKey)
    .executeTakeFirstOrThrow();
  return Number(row.value);
}

/** Takes the next version. Its row stays locked until the transaction ends, which puts all changes in one line. */
export async function takeNextVersion(trx: Trx): Promise<number> {
  const row = await trx
    .updateTable('meta')
    .set({ value: sql<string>`cast(cast(value as bigint) + 1 as text)` })
    .where('key', '=', versionKey)
    .returning('value')
    .executeTakeFirstOrThrow();
  return Number(row.value);
}

/** Keeps changes of the configuration waiting until the transaction ends, without being one. */
export async function holdChanges(trx: Trx): Promise<void> {
  await trx
    .updateTable('meta')
    .set((eb) => ({ value: eb.ref('value') }))
    .where('key', '=', versionKey)
    .execute();
}

/** Sets the version where it lies below. */
export async function raiseVersion(db: Db, version: number): Promise<void> {
  await db
    .updateTable('meta')
    .set({ value: String(version) })
    .where('key', '=', versionKey)
    .where(sql<number>`cast(value as bigint)`, '<', version)
    .execute();
}

/** Keeps what a version changed, so that it can be shown and undone. */
export async function recordVersion(
  trx: Trx,
  version: number,
  { reason, changes }: { readonly reason: string; readonly changes: readonly KeptChange[] },
  author: Author,
  now: number,
): Promise<void> {
  const stored: StoredChange[] = [];
  for (const change of changes) stored.push(await setRunsAside(trx, version, change));
  await trx
    .insertInto('config_versions')
    .values({
      version,
      created_at: now,
      actor: author.email,
      reason,
      changes: JSON.stringify(stored),
      touched: JSON.stringify(changes.map(touchIn)),
    })
    .execute();
}
