import { expect, it } from 'vitest';
import { actionLabel } from './actions.ts';

it.each([
  ['auth.totp_disabled', '2FA disabled'],
  ['settings.security', 'Settings saved'],
  ['blocked', 'blocked'],
  ['cache.purge_all', 'Cache purge all'],
])('says %s as %s', (action, label) => expect(actionLabel(action)).toBe(label));
