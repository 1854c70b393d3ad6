import { passwordPolicyOf, passwordShortcomings } from '@portcullis/contract/auth';
import type { SecuritySettings } from '@portcullis/contract/settings';
import { type Failure, failure } from '../outcome.ts';

/**
 * Holds a new password to the policy of the stored security settings, on every form that takes one.
 * @param settings as stored
 * @param field path of the password in the request, which the issues name
 * @returns the refusal with all that is missing, or undefined for a password that is good enough
 */
export function refuseWeakPassword(
  settings: SecuritySettings,
  password: string,
  field: string,
): Failure | undefined {
  const issues = passwordShortcomings(passwordPolicyOf(settings), password).map((message) => ({
    path: field,
    message,
  }));
  return issues.length > 0 ? failure('password_too_weak', { issues }) : undefined;
}
