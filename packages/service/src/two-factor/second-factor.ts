import type { Sealer } from '../sealing/index.ts';
import type { Storage } from '../storage/index.ts';
import { findUser, type StoredUser } from '../users/index.ts';
import { withoutBackupCode } from './backup-codes.ts';
import { backupHashesOf, replaceBackupHashes, useStep } from './repository.ts';
import { acceptedStep } from './totp.ts';

export interface SecondFactorParts {
  readonly storage: Storage;
  readonly sealer: Sealer;
  readonly now: () => number;
}

/** Checks codes of accounts that have 2FA. */
export interface SecondFactor {
  /** Uses an authenticator's code or a backup code up. @returns false for a wrong, old or used one */
  verify(user: StoredUser, code: string): Promise<boolean>;
}

/** What seals the seed of a user; a seed copied to another row does not open. */
export const seedPurpose = (userId: string) => `totp:${userId}`;

/** @see SecondFactor */
export function createSecondFactor({ storage, sealer, now }: SecondFactorParts): SecondFactor {
  const verifyTotp = async (user: StoredUser, code: string) => {
    const seed = sealer.open(user.totp_secret ?? '', seedPurpose(user.id));
    if (seed === undefined) return false;
    const step = acceptedStep(seed, code, now(), user.totp_last_step);
    return step !== undefined && useStep(storage.db, user.id, step);
  };
  const verifyBackupCode = async (user: StoredUser, code: string): Promise<boolean> => {
    const left = await withoutBackupCode(backupHashesOf(user), code);
    if (left === undefined) return false;
    if (await replaceBackupHashes(storage.db, user, left)) return true;
    // Another code was used up at this moment, which makes this one no less right; there are ten of them at most.
    const present = await findUser(storage.db, user.id);
    if (!present || present.totp_secret !== user.totp_secret) return false;
    return present.backup_codes !== user.backup_codes && verifyBackupCode(present, code);
  };
  return {
    async verify(user, code) {
      if (user.totp_secret === null) return false;
      const typed = code.trim();
      return /^\d{6}$/.test(typed) ? verifyTotp(user, typed) : verifyBackupCode(user, typed);
    },
  };
}
