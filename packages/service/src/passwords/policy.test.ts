import { SecuritySettings } from '@portcullis/contract/settings';
import { describe, expect, it } from 'vitest';
import { refuseWeakPassword } from './policy.ts';

describe('a new password', () => {
  it('is refused with all that it lacks, each at its field', () => {
    const refused = refuseWeakPassword(SecuritySettings.parse({}), 'short', 'newPassword');
    expect(refused?.code).toBe('password_too_weak');
    expect(refused?.issues).toContainEqual({
      path: 'newPassword',
      message: 'Password must be at least 8 characters',
    });
    expect(refused?.issues).toHaveLength(4);
  });

  it('is held to the stored settings, not to the defaults', () => {
    const lax = SecuritySettings.parse({
      minPasswordLength: 6,
      requireSpecialChars: false,
      requireNumbers: false,
      requireUppercase: false,
    });
    expect(refuseWeakPassword(lax, 'abcdef', 'password')).toBeUndefined();
    const strict = SecuritySettings.parse({ minPasswordLength: 32 });
    expect(refuseWeakPassword(strict, 'Abcdef1!', 'password')?.issues).toHaveLength(1);
  });
});
