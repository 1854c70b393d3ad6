import type { Selectable } from 'kysely';
import { newId } from '../identity.ts';
import type { Db, Trx, UsersTable } from '../storage/index.ts';

export type StoredUser = Selectable<UsersTable>;

export async function findUser(db: Db | Trx, id: string): Promise<StoredUser | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
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
