import { describe, expect, it } from 'vitest';
import { SecuritySettings } from '../settings/index.ts';
import { passwordPolicyOf, passwordRequirements, passwordShortcomings } from './password-policy.ts';

const strict = passwordPolicyOf(SecuritySettings.parse({}));
const lengthAlone = passwordPolicyOf(
  SecuritySettings.parse({
    minPasswordLength: 12,
    requireSpecialChars: false,
    requireNumbers: false,
    requireUppercase: false,
  }),
);

describe('the password policy', () => {
  it('names everything that a password lacks at once', () => {
    expect(passwordShortcomings(strict, 'abc')).toEqual([
      'Password must be at least 8 characters',
      'Password must contain an uppercase letter',
      'Password must contain a number',
      'Password must contain one of !@#$%^&*',
    ]);
    expect(passwordShortcomings(strict, 'ABCDEFG1!')).toEqual(['Password must contain a lowercase letter']);
  });

  it('takes a password that has all', () => {
    expect(passwordShortcomings(strict, 'Abcdef1!')).toEqual([]);
  });

  it('counts a letter outside the basic plane once', () => {
    expect(passwordShortcomings(lengthAlone, `a${'😀'.repeat(10)}`)).toHaveLength(1);
    expect(passwordShortcomings(lengthAlone, `a${'😀'.repeat(11)}`)).toEqual([]);
  });

  it('asks for nothing that the settings do not', () => {
    expect(passwordRequirements(lengthAlone).map(({ id }) => id)).toEqual(['length', 'lowercase']);
  });
});
