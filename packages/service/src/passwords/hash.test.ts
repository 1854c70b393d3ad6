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

  it('of nobody takes as long to refuse as of somebody, so that time does not tell who exists', async () => {
    const hash = await hashPassword('Correct-horse-7!');
    const took: Record<string, number[]> = { nobody: [], somebody: [] };
    for (let turn = 0; turn < 5; turn += 1) {
      for (const [who, stored] of [
        ['nobody', undefined],
        ['somebody', hash],
      ] as const) {
        const began = performance.now();
        await verifyPassword(stored, 'wrong');
        took[who]?.push(performance.now() - began);
      }
    }
    const median = (who: string) => took[who]?.sort((a, b) => a - b)[2] ?? 0;
    // Without a hash of its own it would be a hundredth.
    expect(median('nobody')).toBeGreaterThan(median('somebody') / 4);
    expect(median('somebody')).toBeGreaterThan(median('nobody') / 4);
  });
});
