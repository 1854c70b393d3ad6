import { expect, it } from 'vitest';
import { unwrapped } from './account-queries.ts';

it('reads the profile, whether a server wraps it or not', () => {
  const profile = {
    email: 'ada@example.com',
    role: 'admin',
    createdAt: '2026-11-22T09:00:00Z',
    totpEnabled: false,
  };
  expect(unwrapped({ profile } as Parameters<typeof unwrapped>[0])).toMatchObject(profile);
  expect(unwrapped(profile as Parameters<typeof unwrapped>[0])).toMatchObject(profile);
});
