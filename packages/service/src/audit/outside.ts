import type { Db, Storage } from '../storage/index.ts';
import type { AuditLog } from './log.ts';
import { recordOfRow } from './repository.ts';

const announcedKey = 'audit_announced';
/** What was done longer ago, while no service ran, is history and no news. */
const newsMs = 86_400_000;

/** Who acts on an installation without signing in. @param operator the account on its machine */
export const commandLineActor = (operator: string) => `command line (${operator})`;

/** Announces what the command line did beside the service, as if it had been done here. */
export interface OutsideActions {
  /** Tells of what is new; call it on one service at a time. Marked before it is told, so never twice. */
  look(): Promise<void>;
}

/**
 * A command writes to the audit log and ends; nobody in its process sends mail or feeds a live stream. How far was told
 * is stored, so that what was done while no service ran is told by the next one.
 * @param now the clock, Unix milliseconds
 */
export function createOutsideActions(
  storage: Storage,
  audit: Pick<AuditLog, 'announce'>,
  now: () => number,
): OutsideActions {
  return {
    async look() {
      const rows = await storage.read
        .selectFrom('admin_audit')
        .selectAll()
        .where('time', '>=', now() - newsMs)
        .where('seq', '>', await announcedUpTo(storage.db))
        .where('actor', 'like', commandLineActor('%'))
        .orderBy('seq')
        .execute();
      const last = rows.at(-1);
      if (!last) return;
      await markAnnounced(storage.db, last.seq);
      for (const row of rows) audit.announce(recordOfRow(row));
    },
  };
}

async function announcedUpTo(db: Db): Promise<number> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', announcedKey).executeTakeFirst();
  return Number(row?.value ?? 0);
}

async function markAnnounced(db: Db, seq: number): Promise<void> {
  const value = String(seq);
  await db
    .insertInto('meta')
    .values({ key: announcedKey, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}
