import type { User } from '@portcullis/contract/users';
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
