import type { Selectable } from 'kysely';
import type { ApiTokensTable, Db, Trx } from '../storage/index.ts';

export type StoredApiToken = Selectable<ApiTokensTable>;

/** @returns the tokens of a user, the newest first */
export async function tokensOf(db: Db | Trx, userId: string): Promise<StoredApiToken[]> {
  return db
    .selectFrom('api_tokens')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

export async function insertToken(trx: Trx, token: StoredApiToken): Promise<void> {
  await trx.insertInto('api_tokens').values(token).execute();
}

/** Deletes a token of this user alone. @returns what was deleted */
export async function deleteToken(trx: Trx, userId: string, id: string): Promise<StoredApiToken | undefined> {
  return trx
    .deleteFrom('api_tokens')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/** A token with the account that it acts for. */
export interface TokenWithOwner extends StoredApiToken {
  readonly email: string;
  readonly role: string;
  readonly disabled: number;
}

/** @param hash SHA-256 of the token that a caller sent */
export async function findTokenByHash(db: Db, hash: string): Promise<TokenWithOwner | undefined> {
  return db
    .selectFrom('api_tokens')
    .innerJoin('users', 'users.id', 'api_tokens.user_id')
    .selectAll('api_tokens')
    .select(['users.email', 'users.role', 'users.disabled'])
    .where('api_tokens.hash', '=', hash)
    .executeTakeFirst();
}

export async function touchToken(db: Db, id: string, now: number): Promise<void> {
  await db.updateTable('api_tokens').set({ last_used_at: now }).where('id', '=', id).execute();
}
