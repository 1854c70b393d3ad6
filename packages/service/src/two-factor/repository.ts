import { z } from 'zod';
import type { Db, Trx } from '../storage/index.ts';
import type { StoredUser } from '../users/index.ts';

const Hashes = z.array(z.string());

/** @returns the hashes of the backup codes that were not used yet */
export function backupHashesOf(user: StoredUser): string[] {
  return Hashes.parse(JSON.parse(user.backup_codes));
}

/** Keeps a setup that waits for its first code, in place of an earlier one. */
export async function storePending(db: Db, userId: string, sealed: string): Promise<void> {
  await db.updateTable('users').set({ totp_pending: sealed }).where('id', '=', userId).execute();
}

/** @returns false where the setup was replaced, finished or dropped in the meantime */
export async function enableTotp(
  trx: Trx,
  userId: string,
  pending: string,
  enabled: { readonly sealedSeed: string; readonly step: number; readonly hashes: readonly string[] },
): Promise<boolean> {
  const result = await trx
    .updateTable('users')
    .set({
      totp_secret: enabled.sealedSeed,
      totp_pending: null,
      totp_last_step: enabled.step,
      backup_codes: JSON.stringify(enabled.hashes),
    })
    .where('id', '=', userId)
    .where('totp_pending', '=', pending)
    .where('totp_secret', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** @returns false where it is not, or no longer, the 2FA that the user had when read */
export async function disableTotp(trx: Trx, user: Pick<StoredUser, 'id' | 'totp_secret'>): Promise<boolean> {
  const result = await trx
    .updateTable('users')
    .set({ totp_secret: null, totp_pending: null, backup_codes: '[]' })
    .where('id', '=', user.id)
    .where('totp_secret', '=', user.totp_secret)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Uses a time step up. @returns false where it, or a later one, was used already */
export async function useStep(db: Db, userId: string, step: number): Promise<boolean> {
  const result = await db
    .updateTable('users')
    .set({ totp_last_step: step })
    .where('id', '=', userId)
    .where((eb) => eb.or([eb('totp_last_step', 'is', null), eb('totp_last_step', '<', step)]))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** @returns false where 2FA or its codes changed since `user` was read, so that one code cannot be used twice at once */
export async function replaceBackupHashes(
  db: Db | Trx,
  user: StoredUser,
  hashes: readonly string[],
): Promise<boolean> {
  const result = await db
    .updateTable('users')
    .set({ backup_codes: JSON.stringify(hashes) })
    .where('id', '=', user.id)
    .where('backup_codes', '=', user.backup_codes)
    .where('totp_secret', '=', user.totp_secret)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
