import { rolePermissions } from '@portcullis/contract/auth';
import { type Role, roles, type User } from '@portcullis/contract/users';
import type { StoredUser } from './repository.ts';

/** @returns what a role may do; an unknown role nothing */
export function permissionsOf(role: string): (typeof rolePermissions)[Role] {
  return (roles as readonly string[]).includes(role) ? rolePermissions[role as Role] : [];
}

/** A user as the API shows one: never a hash, a seed or a code. */
export function presentUser(row: StoredUser): User {
  const totpEnabled = row.totp_secret !== null;
  return {
    id: row.id,
    email: row.email,
    displayName: row.display_name,
    role: row.role,
    permissions: [...permissionsOf(row.role)],
    totp_enabled: totpEnabled,
    totpEnabled,
    disabled: row.disabled === 1,
    version: row.updated_at,
    created_at: new Date(row.created_at).toISOString(),
    last_login: row.last_login_at === null ? null : new Date(row.last_login_at).toISOString(),
  };
}
