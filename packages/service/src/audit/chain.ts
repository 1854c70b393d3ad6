import type { Db } from '../storage/index.ts';
import { chainHash, chainStart } from './admin-audit.ts';
import { chainHead, recordOfRow } from './repository.ts';

/** An entry up to which the chain was found whole. */
export interface Link {
  /** 0: before the first one */
  readonly seq: number;
  readonly hash: string;
  /** entries up to it, itself too */
  readonly entries: number;
}

export const firstLink: Link = { seq: 0, hash: chainStart, entries: 0 };

/** How far a walk came, and where it had to stop. */
export interface Walked {
  readonly whole: Link;
  /** id of the first entry that does not fit, or what is missing; undefined where all do */
  readonly brokenAt: string | undefined;
}

/** So few that hashing them does not hold other calls up. */
const rowsAtOnce = 250;

/** Whether an entry that was looked at before still is what it was. */
async function stillThere(db: Db, { seq, hash }: Link): Promise<boolean> {
  if (seq === 0) return true;
  const row = await db.selectFrom('admin_audit').selectAll().where('seq', '=', seq).executeTakeFirst();
  return row?.hash === hash && chainHash(row.previous_hash, recordOfRow(row)) === hash;
}

/** Goes along the chain to its end. @param from what is known to be whole */
export async function walkChain(db: Db, from: Link): Promise<Walked> {
  if (!(await stillThere(db, from))) {
    return { whole: from, brokenAt: `entry number ${from.seq}, which was there and is another one or gone` };
  }
  // Read before the entries, for more of them may come meanwhile.
  const head = await chainHead(db);
  let whole = from;
  let sawHead = head === from.hash;
  for (;;) {
    const rows = await db
      .selectFrom('admin_audit')
      .selectAll()
      .where('seq', '>', whole.seq)
      .orderBy('seq')
      .limit(rowsAtOnce)
      .execute();
    for (const row of rows) {
      const fits = row.previous_hash === whole.hash && chainHash(whole.hash, recordOfRow(row)) === row.hash;
      if (!fits) return { whole, brokenAt: row.id };
      whole = { seq: row.seq, hash: row.hash, entries: whole.entries + 1 };
      sawHead ||= row.hash === head;
    }
    if (rows.length < rowsAtOnce) break;
  }
  return { whole, brokenAt: sawHead ? undefined : 'the newest entry, which is missing' };
}

/** @returns the id of the first entry that does not fit the chain; undefined where all do */
export async function firstBrokenLink(db: Db): Promise<string | undefined> {
  return (await walkChain(db, firstLink)).brokenAt;
}
