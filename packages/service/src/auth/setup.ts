import type { SetupRequest } from '@portcullis/contract/auth';
import { hashOfSecret, newSecret } from '../identity.ts';
import { failure, type Outcome, success } from '../outcome.ts';
import { hashPassword, refuseWeakPassword } from '../passwords/index.ts';
import { readSettings } from '../settings/index.ts';
import type { Db, Storage, Trx } from '../storage/index.ts';
import {
  anyUserExists,
  endSessionsOf,
  findUserByEmail,
  insertFirstUser,
  insertUser,
  revokeTokensOf,
  type StoredUser,
} from '../users/index.ts';

const lifetimeMs = 30 * 60 * 1000;

/** `first` makes the first administrator; `reset` gives an administrator a new password. */
export type SetupPurpose = 'first' | 'reset';

/**
 * Makes a one-time token in place of earlier ones, but for those of other services that wait for the first
 * administrator too. @returns the token, which is stored only as a hash
 */
export async function issueSetupToken(storage: Storage, purpose: SetupPurpose, now: number): Promise<string> {
  const token = newSecret();
  await storage.transaction(async (trx) => {
    const before = trx.deleteFrom('setup_tokens').where('purpose', '=', purpose);
    const others = storage.dialect === 'postgres' && purpose === 'first';
    await (others ? before.where('expires_at', '<=', now) : before).execute();
    await trx
      .insertInto('setup_tokens')
      .values({ hash: hashOfSecret(token), purpose, created_at: now, expires_at: now + lifetimeMs })
      .execute();
  });
  return token;
}

/** Whether the setup screen has something to do: no user yet, or a reset that waits for its token. */
export async function setupRequired(db: Db, now: number): Promise<boolean> {
  if (!(await anyUserExists(db))) return true;
  const reset = await db
    .selectFrom('setup_tokens')
    .select('hash')
    .where('purpose', '=', 'reset')
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return reset !== undefined;
}

async function isGood(db: Db, token: string, now: number): Promise<boolean> {
  const row = await db
    .selectFrom('setup_tokens')
    .select('hash')
    .where('hash', '=', hashOfSecret(token))
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row !== undefined;
}

const refusedToken = (occupied: boolean) => failure(occupied ? 'setup_already_done' : 'setup_link_invalid');

async function redeem(trx: Trx, token: string, now: number): Promise<string | undefined> {
  const row = await trx
    .deleteFrom('setup_tokens')
    .where('hash', '=', hashOfSecret(token))
    .where('expires_at', '>', now)
    .returning('purpose')
    .executeTakeFirst();
  return row?.purpose;
}

/** Makes an existing account an administrator who can sign in with this password alone. */
async function reinstate(trx: Trx, user: StoredUser, passwordHash: string, now: number): Promise<StoredUser> {
  const reinstated = await trx
    .updateTable('users')
    .set({
      role: 'admin',
      disabled: 0,
      password_hash: passwordHash,
      totp_secret: null,
      totp_pending: null,
      backup_codes: '[]',
      updated_at: now,
    })
    .where('id', '=', user.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  // Only now: a sign-in with the old password that held the row until here opened its session by now.
  await endSessionsOf(trx, user.id);
  await revokeTokensOf(trx, user.id);
  return reinstated;
}

/** Uses a setup token up and makes its administrator. A password that is too weak leaves the token good. */
export async function completeSetup(
  storage: Storage,
  { token, email, password }: SetupRequest,
  now: number,
): Promise<Outcome<StoredUser>> {
  const settings = await readSettings(storage.read, 'security');
  const weak = refuseWeakPassword(settings, password, 'password');
  if (weak) return weak;
  // Looked at first, for strangers must not have the service hash for them.
  if (!(await isGood(storage.db, token, now))) return refusedToken(await anyUserExists(storage.db));
  const passwordHash = await hashPassword(password);
  return storage.transaction(async (trx) => {
    const purpose = await redeem(trx, token, now);
    if (purpose === undefined) return refusedToken(await anyUserExists(trx));
    const wanted = { email, role: 'admin', passwordHash };
    if (purpose === 'first') {
      const user = await insertFirstUser(storage.dialect, trx, wanted, now);
      return user ? success(user) : refusedToken(true);
    }
    const known = await findUserByEmail(trx, email);
    const user = known ? await reinstate(trx, known, passwordHash, now) : await insertUser(trx, wanted, now);
    return success(user);
  });
}
