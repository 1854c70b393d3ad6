import type { Db, Storage, Trx } from '../storage/index.ts';
import { dropOrphans } from './aside.ts';
import { holdChanges } from './repository.ts';

const startKey = 'config_history_start';
const dayMs = 86_400_000;

/** Versions that are deleted in one transaction: those of an earlier release are as large as what they changed. */
const versionsAtOnce = 100;

/** What is kept of the history. */
export interface HistoryLimits {
  /** `historyRetentionDays` of the general settings */
  readonly days: number;
  /** `historyKeptVersions`: so many of the newest, however old they are */
  readonly versions: number;
}

/** @returns the oldest version that can still be told of; 1, the empty installation, while nothing was dropped */
export async function historyStart(db: Db | Trx): Promise<number> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', startKey).executeTakeFirst();
  return Number(row?.value ?? 1);
}

/** The oldest version that has to stay; undefined where there is no version. */
async function oldestToKeep(
  db: Db,
  limits: HistoryLimits,
  now: number,
  inUse: number,
): Promise<number | undefined> {
  const young = await db
    .selectFrom('config_versions')
    .select((select) => select.fn.min('version').as('version'))
    .where('created_at', '>=', now - limits.days * dayMs)
    .executeTakeFirst();
  const newest = await db
    .selectFrom('config_versions')
    .select('version')
    .orderBy('version', 'desc')
    .limit(limits.versions)
    .execute();
  const ofNewest = newest.at(-1)?.version;
  if (ofNewest === undefined) return undefined;
  return Math.min(ofNewest, young?.version ?? ofNewest, inUse);
}

/**
 * Drops the oldest versions that are over their time. Only ever the oldest: how things stood at a version is told by
 * all that came after it, so that each one that is kept can be restored.
 * @param inUse the oldest version that a gateway serves by, which stays; infinite where none says
 * @returns how many went
 */
export async function pruneHistory(
  storage: Storage,
  limits: HistoryLimits,
  now: number,
  inUse = Number.POSITIVE_INFINITY,
): Promise<number> {
  const start = await oldestToKeep(storage.read, limits, now, inUse);
  if (start === undefined) return 0;
  let dropped = 0;
  for (;;) {
    const old = await storage.read
      .selectFrom('config_versions')
      .select('version')
      .where('version', '<', start)
      .orderBy('version')
      .limit(versionsAtOnce)
      .execute();
    const last = old.at(-1)?.version;
    if (last === undefined) break;
    await storage.transaction((trx) => dropUpTo(trx, last));
    dropped += old.length;
  }
  // Also where nothing was over its time: what another service left may be there.
  await storage.transaction(dropOrphans);
  return dropped;
}

async function dropUpTo(trx: Trx, version: number): Promise<void> {
  // A restoration reads many versions one after the other: they go before it or after.
  await holdChanges(trx);
  const value = String(version + 1);
  await trx
    .insertInto('meta')
    .values({ key: startKey, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
  await trx.deleteFrom('config_versions').where('version', '<=', version).execute();
}
