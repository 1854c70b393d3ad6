import { rolePermissions } from '@portcullis/contract/auth';
import { type Role, roles, type User } from '@portcullis/contract/users';
import type { StoredUser } from './repository.ts';

/** @returns what a role may do; an unknown role nothing */
export function permissionsOf(role: string): (typeof rolePermissions)[Role] {
  return (roles as readonly string[]).includes(role) ? rolePermissions[role as Role] : [];
}

/** A stored user as the API shows one: no hash, no seed. */
export function presentUser(user: StoredUser): User {
  const totp = user.totp_secret !== null;
  return {
    id: user.id,
    email: user.email,
    displayName: user.display_name,
    role: user.role,
    permissions: [...permissionsOf(user.role)],
    totp_enabled: totp,
    totpEnabled: totp,
    created_at: new Date(user.created_at).toISOString(),
    last_login: user.last_login_at === null ? null : new Date(user.last_login_at).toISOString(),
  };
}
