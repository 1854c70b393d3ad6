import type { PasswordPolicy } from '@portcullis/contract/auth';
import { messages } from '../../lib/messages/index.ts';

const words = messages.profile.password.rule;

/** One line of the checklist, and whether the password keeps it. */
export interface PasswordRule {
  key: string;
  label: string;
  met: boolean;
}

/** @returns what the policy asks of a password, each with whether it is met */
export function passwordRules(password: string, policy: PasswordPolicy): PasswordRule[] {
  const rules = [
    {
      key: 'length',
      asked: true,
      label: words.length(policy.minLength),
      met: password.length >= policy.minLength,
    },
    { key: 'uppercase', asked: policy.requireUppercase, label: words.uppercase, met: /[A-Z]/.test(password) },
    { key: 'lowercase', asked: policy.requireLowercase, label: words.lowercase, met: /[a-z]/.test(password) },
    { key: 'digit', asked: policy.requireNumbers, label: words.digit, met: /\d/.test(password) },
    {
      key: 'special',
      asked: policy.requireSpecialChars,
      label: words.special,
      met: /[!@#$%^&*]/.test(password),
    },
  ];
  return rules.filter((rule) => rule.asked).map(({ key, label, met }) => ({ key, label, met }));
}
