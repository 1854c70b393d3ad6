import type { SecuritySettings } from '../settings/index.ts';
import type { PasswordPolicy } from './schemas.ts';

/** One thing that a new password must have; `id` is the key of its line in a checklist. */
export interface PasswordRequirement {
  readonly id: 'length' | 'uppercase' | 'lowercase' | 'number' | 'special';
  /** the sentence that an issue carries while it is not met */
  readonly message: string;
  met(password: string): boolean;
}

/** The special characters that count, of which one must be there. */
export const specialCharacters = '!@#$%^&*';

/** The policy that the security settings ask for. No setting takes the lowercase letter away. */
export function passwordPolicyOf(
  settings: Pick<
    SecuritySettings,
    'minPasswordLength' | 'requireSpecialChars' | 'requireNumbers' | 'requireUppercase'
  >,
): PasswordPolicy {
  return {
    minLength: settings.minPasswordLength,
    requireUppercase: settings.requireUppercase,
    requireLowercase: true,
    requireNumbers: settings.requireNumbers,
    requireSpecialChars: settings.requireSpecialChars,
  };
}

/** What the policy asks of a new password, in the order that a checklist shows. */
export function passwordRequirements(policy: PasswordPolicy): readonly PasswordRequirement[] {
  const all: readonly (PasswordRequirement & { readonly asked: boolean })[] = [
    {
      id: 'length',
      asked: true,
      message: `Password must be at least ${policy.minLength} characters`,
      // Code points, so that a letter outside the basic plane counts once.
      met: (password) => [...password].length >= policy.minLength,
    },
    {
      id: 'uppercase',
      asked: policy.requireUppercase,
      message: 'Password must contain an uppercase letter',
      met: (password) => /\p{Lu}/u.test(password),
    },
    {
      id: 'lowercase',
      asked: policy.requireLowercase,
      message: 'Password must contain a lowercase letter',
      met: (password) => /\p{Ll}/u.test(password),
    },
    {
      id: 'number',
      asked: policy.requireNumbers,
      message: 'Password must contain a number',
      met: (password) => /\d/.test(password),
    },
    {
      id: 'special',
      asked: policy.requireSpecialChars,
      message: `Password must contain one of ${specialCharacters}`,
      met: (password) => /[!@#$%^&*]/.test(password),
    },
  ];
  return all.filter(({ asked }) => asked);
}

/** @returns the sentences of all requirements that the password does not meet; empty for a good one */
export function passwordShortcomings(policy: PasswordPolicy, password: string): string[] {
  return passwordRequirements(policy)
    .filter((requirement) => !requirement.met(password))
    .map((requirement) => requirement.message);
}
