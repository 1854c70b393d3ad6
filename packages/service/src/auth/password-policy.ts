import type { Issue } from '@portcullis/contract/api';
import type { SecuritySettings } from '@portcullis/contract/settings';

/** The special characters that the change-password form offers; any other symbol counts as well. */
const special = /[^\p{L}\p{N}\s]/u;

/** @returns one issue for each rule of the security settings that the password breaks */
export function passwordIssues(password: string, settings: SecuritySettings, path = 'password'): Issue[] {
  const issues: Issue[] = [];
  const need = (met: boolean, message: string) => {
    if (!met) issues.push({ path, message });
  };
  const { minPasswordLength } = settings;
  need(
    [...password].length >= minPasswordLength,
    `Password must be at least ${minPasswordLength} characters`,
  );
  need(/\p{Ll}/u.test(password), 'Password must contain a lowercase letter');
  need(!settings.requireUppercase || /\p{Lu}/u.test(password), 'Password must contain an uppercase letter');
  need(!settings.requireNumbers || /\p{Nd}/u.test(password), 'Password must contain a number');
  need(!settings.requireSpecialChars || special.test(password), 'Password must contain a special character');
  return issues;
}
