import type { Ban } from '@portcullis/contract/access';
import type { Db, Trx } from '../storage/index.ts';

/** A ban as it is stored. Times are Unix milliseconds. */
export interface BanRow {
  readonly id: string;
  readonly address: string;
  readonly client_ip: string;
  readonly site_id: string | null;
  readonly reason: string;
  readonly since: number;
  readonly ends_at: number;
  /** null while it is in force */
  readonly lifted_at: number | null;
}

/** Rows of one statement: PostgreSQL takes 65,535 values. */
const rowsAtOnce = 1000;

/** Stores what gateways told; a repeat of a known one changes nothing. A gateway whose clock is ahead bans from now on. */
export async function insertBans(trx: Trx, bans: readonly Ban[], now: number): Promise<void> {
  const rows = bans.map(({ id, address, clientIp, siteId, reason, since, until }): BanRow => {
    const began = Math.min(since, now);
    const ends_at = began + until - since;
    return {
      ...{ id, address, reason, ends_at },
      ...{ client_ip: clientIp, site_id: siteId ?? null, since: began, lifted_at: null },
    };
  });
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    await trx
      .insertInto('bans')
      .values(rows.slice(at, at + rowsAtOnce))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

const running = (db: Db | Trx, now: number) => db.selectFrom('bans').where('ends_at', '>', now);

/** The newest bans that nobody lifted and whose time is not over. @param address of one client; absent: of all */
export function bansInForce(db: Db | Trx, now: number, limit: number, address?: string): Promise<BanRow[]> {
  let found = running(db, now).selectAll().where('lifted_at', 'is', null);
  if (address !== undefined) found = found.where('address', '=', address);
  return found.orderBy('since', 'desc').orderBy('id').limit(limit).execute();
}

/** @returns how many clients are banned: several gateways may have banned one each for themselves */
export async function countBanned(db: Db, now: number, address?: string): Promise<number> {
  let found = running(db, now).where('lifted_at', 'is', null);
  if (address !== undefined) found = found.where('address', '=', address);
  const { count } = await found
    .select(({ fn }) => fn.count('address').distinct().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Bans that were lifted and would else still be in force, the last lifted first. */
export function liftedBans(db: Db, now: number, limit: number): Promise<BanRow[]> {
  return running(db, now)
    .selectAll()
    .where('lifted_at', 'is not', null)
    .orderBy('lifted_at', 'desc')
    .limit(limit)
    .execute();
}

/** Lifts all bans of the address that one is of. @returns that one; undefined where it is not in force */
export async function liftBan(trx: Trx, id: string, now: number): Promise<BanRow | undefined> {
  const ban = await running(trx, now)
    .selectAll()
    .where('id', '=', id)
    .where('lifted_at', 'is', null)
    .executeTakeFirst();
  if (ban === undefined) return undefined;
  await trx
    .updateTable('bans')
    .set({ lifted_at: now })
    .where('address', '=', ban.address)
    .where('lifted_at', 'is', null)
    .execute();
  return ban;
}

/** @param now absent: all of them, also those in force */
export async function forgetBans(db: Db, now?: number): Promise<void> {
  let gone = db.deleteFrom('bans');
  if (now !== undefined) gone = gone.where('ends_at', '<=', now);
  await gone.execute();
}
