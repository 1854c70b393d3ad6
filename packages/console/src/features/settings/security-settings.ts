import { SecuritySettings } from '@portcullis/contract/settings';
import { validateWith } from '../../components/form-errors.ts';
import { boundsOf, numberProblem } from '../../components/number-field.tsx';
import type { usePageForm } from '../../components/use-page-form.ts';
import { messages } from '../../lib/messages/index.ts';

const { shape } = SecuritySettings;

/** The bounds of the numbers among the security settings. */
export const securityBounds = {
  sessionTimeout: boundsOf(shape.sessionTimeout),
  maxLoginAttempts: boundsOf(shape.maxLoginAttempts),
  lockoutDuration: boundsOf(shape.lockoutDuration),
  minPasswordLength: boundsOf(shape.minPasswordLength),
  requestsPerMinute: boundsOf(shape.requestsPerMinute),
  banAfterBlocks: boundsOf(shape.banAfterBlocks),
  banWindow: boundsOf(shape.banWindow),
  banDuration: boundsOf(shape.banDuration),
  maxConcurrentPerClient: boundsOf(shape.maxConcurrentPerClient),
};

/** The form of the security settings, as its parts take it. */
export type SecurityForm = ReturnType<typeof usePageForm<SecuritySettings>>['form'];

/** `https://ops.example.com:8443`: scheme and host, nothing after them; or `*` for any. */
const origin = /^(\*|https?:\/\/[^/\s]+)$/;
const checkProxies = validateWith(SecuritySettings.pick({ trustedProxies: true }));

/** @returns what is wrong, by field */
export function securityProblems(values: SecuritySettings): Record<string, string> {
  const errors: Record<string, string> = checkProxies(values);
  for (const field of Object.keys(securityBounds) as (keyof typeof securityBounds)[]) {
    const problem = numberProblem(values[field], securityBounds[field]);
    if (problem) errors[field] = problem;
  }
  const odd = values.allowedOrigins.find((line) => !origin.test(line));
  if (odd !== undefined) errors['allowedOrigins'] = messages.settings.security.originInvalid(odd);
  return errors;
}
