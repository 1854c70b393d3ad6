import type { Role, User } from '@portcullis/contract/users';
import { Email } from '@portcullis/contract/users';
import { messages } from '../../lib/messages/index.ts';

const words = messages.users;

/** The user form as typed. */
export interface UserValues {
  email: string;
  role: string;
  password: string;
  confirm: string;
  /** may sign in */
  allowed: boolean;
}

/** @returns the form of a user; empty, with the least role, for a new one */
export function valuesOf(user: User | undefined): UserValues {
  return {
    email: user?.email ?? '',
    role: user?.role ?? 'viewer',
    password: '',
    confirm: '',
    allowed: user?.disabled !== true,
  };
}

/** What the form sends. */
export interface UserDraft {
  email?: string;
  role?: Role;
  password?: string;
  disabled?: boolean;
}

/**
 * @param user as the form found it; absent for a new one
 * @returns what was typed, for a user who exists only what is another than it was: what somebody else changed meanwhile
 *   stays
 */
export function draftOf(values: UserValues, user: User | undefined): UserDraft {
  const { role, password, allowed } = values;
  const email = values.email.trim();
  const before = valuesOf(user);
  const isNew = user === undefined;
  return {
    ...((isNew || email !== before.email) && { email }),
    ...((isNew || role !== before.role) && { role: role as Role }),
    ...(password !== '' && { password }),
    ...(!isNew && allowed !== before.allowed && { disabled: !allowed }),
  };
}

/**
 * What is wrong with the form, by field; empty when nothing is. A blank password keeps the present one of a
 * user who exists.
 * @param minLength characters that a password needs at least, 8 where the service does not say
 */
export function userProblems(values: UserValues, isNew: boolean, minLength = 8): Record<string, string> {
  const problems: Record<string, string> = {};
  const email = values.email.trim();
  if (email === '') problems['email'] = words.emailRequired;
  else if (!Email.safeParse(email).success) problems['email'] = words.emailInvalid;
  if (values.password === '') {
    if (isNew) problems['password'] = words.passwordRequired;
    return problems;
  }
  if (values.password.length < minLength) problems['password'] = words.passwordShort(minLength);
  if (values.password !== values.confirm) problems['confirm'] = words.passwordsDiffer;
  return problems;
}
