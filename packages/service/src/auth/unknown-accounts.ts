import { z } from 'zod';
import type { AuditLog } from '../audit/index.ts';
import type { Storage, Trx } from '../storage/index.ts';

const key = 'unknown_sign_ins';
const addressesKept = 100;

const Tally = z.object({ count: z.number(), locked: z.boolean(), addresses: z.array(z.string()) });

/**
 * Counts a failed sign-in of an account that does not exist. The audit log is kept for ever, and strangers must not be
 * able to fill it: an entry tells of all that failed within a minute. Stored, so that it takes as long as the entry of
 * an account that exists.
 */
export async function countUnknown(trx: Trx, ip: string, locked: boolean): Promise<void> {
  const none = JSON.stringify({ count: 0, locked: false, addresses: [] });
  const row = await trx
    .insertInto('meta')
    .values({ key, value: none })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ key }))
    .returning('value')
    .executeTakeFirstOrThrow();
  const tally = Tally.parse(JSON.parse(row.value));
  const addresses = [...new Set([...tally.addresses, ip])].slice(0, addressesKept);
  const value = JSON.stringify({ count: tally.count + 1, locked: tally.locked || locked, addresses });
  await trx.updateTable('meta').set({ value }).where('key', '=', key).execute();
}

/** Writes one entry on what was counted since the last one. Call it once a minute. */
export async function tellUnknown({
  storage,
  audit,
}: {
  readonly storage: Storage;
  readonly audit: AuditLog;
}): Promise<void> {
  const waits = await storage.read.selectFrom('meta').select('key').where('key', '=', key).executeTakeFirst();
  if (!waits) return;
  const record = await storage.transaction(async (trx) => {
    const row = await trx.deleteFrom('meta').where('key', '=', key).returning('value').executeTakeFirst();
    if (!row) return undefined;
    const { count, locked, addresses } = Tally.parse(JSON.parse(row.value));
    const times = count === 1 ? '' : ` ${count} times`;
    const many =
      addresses.length === addressesKept
        ? `${addressesKept} addresses or more`
        : `${addresses.length} addresses`;
    const from = addresses.length === 1 ? '' : `, from ${many}`;
    const refused = locked ? '; further attempts are refused for a while' : '';
    return audit.append(trx, {
      action: locked ? 'auth.locked' : 'auth.login_failed',
      level: 'warning',
      message: `Sign-in failed${times} for unknown accounts${from}${refused}`,
      actor: 'unknown',
      ip: addresses.length === 1 ? (addresses[0] ?? '') : '',
      details: { count, addresses },
    });
  });
  if (record) audit.announce(record);
}
