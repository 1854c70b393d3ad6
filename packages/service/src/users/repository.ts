import { type Preferences, StoredPreferences } from '@portcullis/contract/users';
import { type Selectable, sql, type Updateable } from 'kysely';
import { newId } from '../identity.ts';
import type { Db, Storage, Trx, UsersTable } from '../storage/index.ts';

export type StoredUser = Selectable<UsersTable>;
export type UserChanges = Omit<Updateable<UsersTable>, 'id' | 'created_at'>;

/** @returns all users, the oldest first */
export async function listUsers(db: Db | Trx): Promise<StoredUser[]> {
  return db.selectFrom('users').selectAll().orderBy('created_at').orderBy('id').execute();
}

export async function findUser(db: Db | Trx, id: string): Promise<StoredUser | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
}

/**
 * As {@link findUser}, for who changes what is read: the row is held, so that on PostgreSQL two changes at once run one
 * after the other, and neither undoes the other one.
 */
export async function holdUser(trx: Trx, id: string): Promise<StoredUser | undefined> {
  return trx
    .updateTable('users')
    .set((eb) => ({ role: eb.ref('role') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/** @param email any case */
export async function findUserByEmail(db: Db | Trx, email: string): Promise<StoredUser | undefined> {
  return db.selectFrom('users').selectAll().where('email', '=', email.toLowerCase()).executeTakeFirst();
}

export async function anyUserExists(db: Db | Trx): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;
}

export interface NewUser {
  readonly email: string;
  readonly role: string;
  /** PHC string */
  readonly passwordHash: string;
}

/** Stores a user. A taken email breaks the table's unique constraint. */
export async function insertUser(trx: Trx, user: NewUser, now: number): Promise<StoredUser> {
  return trx
    .insertInto('users')
    .values({
      id: newId('usr'),
      email: user.email.toLowerCase(),
      role: user.role,
      password_hash: user.passwordHash,
      totp_secret: null,
      totp_pending: null,
      totp_last_step: null,
      created_at: now,
      updated_at: now,
      last_login_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/**
 * Stores the first user of an installation. Services on one PostgreSQL may each have a setup token, or be told another
 * name by their environment: whoever holds the table sees what was stored before, and the others wait. SQLite has one
 * writer at a time.
 * @returns undefined where there is a user by now
 */
export async function insertFirstUser(
  dialect: Storage['dialect'],
  trx: Trx,
  user: NewUser,
  now: number,
): Promise<StoredUser | undefined> {
  if (dialect === 'postgres') await sql`lock table users in share row exclusive mode`.execute(trx);
  return (await anyUserExists(trx)) ? undefined : insertUser(trx, user, now);
}

/** A taken email breaks the table's unique constraint. */
export async function updateUser(db: Db | Trx, id: string, changes: UserChanges): Promise<void> {
  await db.updateTable('users').set(changes).where('id', '=', id).execute();
}

/**
 * Changes an account that is still as it was when its password or code was checked. Checking takes a while, in which
 * the password may have been changed, 2FA turned on or the account disabled; whoever did that relies on it. The row is
 * held from here on, so that who ends the sessions of the account next sees one that this transaction opens.
 * @returns false where it is no longer as it was; nothing was changed
 */
export async function updateUserAsChecked(
  trx: Trx,
  checked: Pick<StoredUser, 'id' | 'password_hash' | 'totp_secret'>,
  changes: UserChanges,
): Promise<boolean> {
  const update = trx
    .updateTable('users')
    .set(changes)
    .where('id', '=', checked.id)
    .where('disabled', '=', 0)
    .where('password_hash', '=', checked.password_hash);
  const { totp_secret: secret } = checked;
  const asChecked =
    secret === null ? update.where('totp_secret', 'is', null) : update.where('totp_secret', '=', secret);
  const result = await asChecked.executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Deletes the user with all sessions, tokens and tickets. */
export async function deleteUser(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('users').where('id', '=', id).execute();
}

/**
 * Ends sessions of a user at once, for their tokens are checked against these rows.
 * @param except id of a session that goes on
 * @returns how many were ended
 */
export async function endSessionsOf(trx: Db | Trx, userId: string, except?: string): Promise<number> {
  let query = trx.deleteFrom('sessions').where('user_id', '=', userId);
  if (except !== undefined) query = query.where('id', '!=', except);
  const [result] = await query.execute();
  return Number(result?.numDeletedRows ?? 0);
}

/** Revokes every API token of a user. @returns how many there were */
export async function revokeTokensOf(trx: Trx, userId: string): Promise<number> {
  const [result] = await trx.deleteFrom('api_tokens').where('user_id', '=', userId).execute();
  return Number(result?.numDeletedRows ?? 0);
}

/**
 * Counts administrators who can sign in, besides one user. Their rows and the user's are written first, so that on
 * PostgreSQL two transactions that each take one away, or one that promotes a user and one that steers the user, run
 * one after the other: what is read after it stays as it is read.
 */
export async function countOtherAdmins(trx: Trx, userId: string): Promise<number> {
  await trx
    .updateTable('users')
    .set((eb) => ({ role: eb.ref('role') }))
    .where((eb) => eb.or([eb('role', '=', 'admin'), eb('id', '=', userId)]))
    .execute();
  const row = await trx
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<number>().as('admins'))
    .where('role', '=', 'admin')
    .where('disabled', '=', 0)
    .where('id', '!=', userId)
    .executeTakeFirstOrThrow();
  return Number(row.admins);
}

/** What is stored, with the default for every field that never was. */
export function preferencesOf(row: Pick<StoredUser, 'preferences'>): Preferences {
  return StoredPreferences.parse(JSON.parse(row.preferences));
}
