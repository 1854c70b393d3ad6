import { type ApiTokenCreate, type Permission, permissions } from '@portcullis/contract/auth';
import type { Actor } from '../http/index.ts';
import { hashOfSecret, newId, newSecret } from '../identity.ts';
import { type Failure, failure, invalid } from '../outcome.ts';
import type { Storage } from '../storage/index.ts';
import { permissionsOf } from '../users/index.ts';
import { findTokenByHash, type StoredApiToken, type TokenWithOwner, touchToken } from './repository.ts';

/** What every token begins with, so that scanners of leaked secrets can know one. */
export const tokenPrefix = 'pct_';

const shownCharacters = tokenPrefix.length + 6;
const dayMs = 86_400_000;
const touchEveryMs = 60_000;
/** A person who needs more has lost track of those there are. */
const maxTokensPerUser = 50;

/** @returns why the actor may not make this token: it would exceed the actor's own permissions, or is one too many */
export function refuseToken(
  request: ApiTokenCreate,
  held: readonly Permission[],
  present: number,
): Failure | undefined {
  if (present >= maxTokensPerUser) {
    return failure('conflict', {
      message: `An account can have ${maxTokensPerUser} API tokens. Revoke one first`,
    });
  }
  const issues = request.permissions.flatMap((permission, index) =>
    held.includes(permission)
      ? []
      : [{ path: `permissions.${index}`, message: `You don't hold ${permission} yourself` }],
  );
  return issues.length > 0 ? invalid(issues) : undefined;
}

/** A new token: the row, which holds its hash alone, and the secret, which is shown once. */
export function newToken(
  userId: string,
  request: ApiTokenCreate,
  now: number,
): { readonly secret: string; readonly row: StoredApiToken } {
  const secret = tokenPrefix + newSecret();
  const days = request.expiresInDays ?? undefined;
  const row = {
    id: newId('tok'),
    user_id: userId,
    name: request.name,
    permissions: JSON.stringify([...new Set(request.permissions)]),
    prefix: secret.slice(0, shownCharacters),
    hash: hashOfSecret(secret),
    created_at: now,
    expires_at: days === undefined ? null : now + days * dayMs,
    last_used_at: null,
  };
  return { secret, row };
}

/** What the token may do now: its own permissions, as far as its owner still holds them. */
export function permissionsOfToken(
  token: Pick<TokenWithOwner, 'permissions' | 'role'>,
): readonly Permission[] {
  const chosen: unknown = JSON.parse(token.permissions);
  const held = permissionsOf(token.role);
  return permissions.filter(
    (permission) => Array.isArray(chosen) && chosen.includes(permission) && held.includes(permission),
  );
}

/**
 * Who calls with an API token.
 * @returns undefined for one that is unknown, revoked or expired, or whose owner is disabled
 */
export async function actorOfApiToken(
  { storage, now }: { readonly storage: Storage; readonly now: () => number },
  secret: string,
): Promise<Actor | undefined> {
  const token = await findTokenByHash(storage.read, hashOfSecret(secret));
  const time = now();
  if (token?.disabled !== 0) return undefined;
  if (token.expires_at !== null && token.expires_at <= time) return undefined;
  if (token.last_used_at === null || token.last_used_at + touchEveryMs <= time) {
    await storage.aside((db) => touchToken(db, token.id, time));
  }
  const { user_id: userId, email, role } = token;
  return { userId, email, role, permissions: permissionsOfToken(token) };
}
