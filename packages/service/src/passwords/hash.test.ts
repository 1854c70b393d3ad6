import { describe, expect, it } from 'vitest';
import { hashPassword, verifyPassword } from './hash.ts';

describe('a password hash', () => {
  it('matches its password alone, in any Unicode form', async () => {
    const hash = await hashPassword('Caf\u00e9-Passw0rd!');
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await verifyPassword(hash, 'Cafe\u0301-Passw0rd!')).toBe(true);
    expect(await verifyPassword(hash, 'Cafe-Passw0rd!')).toBe(false);
  });

  it('differs each time, so that equal passwords do not show', async () => {
    expect(await hashPassword('same')).not.toBe(await hashPassword('same'));
  });

  it('of nobody, or of another kind, matches nothing', async () => {
    expect(await verifyPassword(undefined, 'anything')).toBe(false);
    expect(await verifyPassword('', 'anything')).toBe(false);
    expect(await verifyPassword('$2b$10$abcdefghijklmnopqrstuv', 'anything')).toBe(false);
  });
});
