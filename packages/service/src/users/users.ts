import type { UserUpdate } from '@portcullis/contract/users';
import type { z } from 'zod';
import type { Actor } from '../http/index.ts';
import { type Failure, failure } from '../outcome.ts';
import { permissionsOf } from './present.ts';
import type { StoredUser } from './repository.ts';

type Changes = z.output<typeof UserUpdate>;

/** Whether a change takes a working administrator away. */
export function removesAdmin(before: StoredUser, changes: Changes): boolean {
  const isAdmin = before.role === 'admin' && before.disabled === 0;
  const staysAdmin = (changes.role ?? before.role) === 'admin' && changes.disabled !== true;
  return isAdmin && !staysAdmin;
}

/**
 * Whether a change ends the user's sessions: one that takes rights, or answers a lost password, must not leave
 * someone signed in with what was before.
 */
export function endsSessions(before: StoredUser, changes: Changes): boolean {
  const roleChanged = changes.role !== undefined && changes.role !== before.role;
  const passwordSet = changes.password !== undefined && changes.password !== '';
  return roleChanged || passwordSet || changes.disabled === true;
}

/**
 * Nobody makes or steers an account that may do more than they: an API token that may only add users would else make
 * itself an administrator, or give one a new password and sign in.
 * @param roles what the account is, or is to be
 */
export function refuseHigher({ permissions }: Actor, ...roles: readonly string[]): Failure | undefined {
  const within = roles.flatMap(permissionsOf).every((permission) => permissions.includes(permission));
  return within
    ? undefined
    : failure('forbidden', { message: 'This account may do more than you, so it is not yours to change' });
}

/**
 * The own email and password are the sign-in: who found an open session, or an API token, does not know the password,
 * and would have the account for good.
 */
export function refuseOwnSignIn(before: StoredUser, actorId: string, changes: Changes): Failure | undefined {
  const email = changes.email !== undefined && changes.email !== before.email ? ['email'] : [];
  const fields = changes.password ? [...email, 'password'] : email;
  if (before.id !== actorId || fields.length === 0) return undefined;
  const message =
    'Your own email is changed by PUT /api/auth/profile, your own password by POST /api/auth/change-password, both with the present password';
  return failure('conflict', { message, issues: fields.map((path) => ({ path, message })) });
}

/** @param otherAdmins administrators who can sign in, besides this user */
export function refuseDeletion(
  target: StoredUser,
  actorId: string,
  otherAdmins: number,
): Failure | undefined {
  if (target.id === actorId) return failure('cannot_delete_self');
  const isAdmin = target.role === 'admin' && target.disabled === 0;
  return isAdmin && otherAdmins === 0 ? failure('last_admin') : undefined;
}

/** What of a change goes to the audit log: never the password, only that there is a new one. */
export function auditedChanges(before: StoredUser, changes: Changes): Record<string, unknown> {
  const pairs = {
    email: [before.email, changes.email ?? before.email],
    role: [before.role, changes.role ?? before.role],
    disabled: [before.disabled === 1, changes.disabled ?? before.disabled === 1],
  };
  const changed = Object.entries(pairs)
    .filter(([, [from, to]]) => from !== to)
    .map(([field, [from, to]]) => [field, { from, to }] as const);
  const password = changes.password ? { password: 'changed' } : {};
  return { ...Object.fromEntries(changed), ...password };
}
