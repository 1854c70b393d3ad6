import { PasswordPolicy } from '@portcullis/contract/auth';
import { describe, expect, it } from 'vitest';
import { passwordRules } from './password-rules.ts';

const met = (password: string, policy = PasswordPolicy.parse({})) =>
  passwordRules(password, policy)
    .filter((rule) => rule.met)
    .map((rule) => rule.key);

describe('the password checklist', () => {
  it('ticks nothing off for an empty password', () => {
    expect(met('')).toEqual([]);
  });

  it('ticks off what is there and no more', () => {
    expect(met('abcDEF1')).toEqual(['uppercase', 'lowercase', 'number']);
    expect(met('Abcdef1!')).toEqual(['length', 'uppercase', 'lowercase', 'number', 'special']);
  });

  it('takes only the special characters that the policy names', () => {
    expect(met('~')).toEqual([]);
    for (const character of '!@#$%^&*') expect(met(character), character).toEqual(['special']);
  });

  it('shows only what the policy asks', () => {
    const policy = PasswordPolicy.parse({ minLength: 12, requireSpecialChars: false, requireNumbers: false });
    expect(passwordRules('', policy).map((rule) => rule.label)).toEqual([
      'At least 12 characters',
      'One uppercase letter',
      'One lowercase letter',
    ]);
  });
});
