import type { PasswordPolicy } from '@portcullis/contract/auth';
import { passwordRequirements } from '@portcullis/contract/auth';
import { messages } from '../../lib/messages/index.ts';

const words = messages.profile.password.rule;

/** One line of the checklist, and whether the password keeps it. */
export interface PasswordRule {
  key: string;
  label: string;
  met: boolean;
}

/** @returns what the policy asks of a password, each with whether it is met, as the service will judge it */
export function passwordRules(password: string, policy: PasswordPolicy): PasswordRule[] {
  return passwordRequirements(policy).map(({ id, met }) => ({
    key: id,
    label: id === 'length' ? words.length(policy.minLength) : words[id],
    met: met(password),
  }));
}
