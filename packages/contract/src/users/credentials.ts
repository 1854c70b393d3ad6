import { z } from 'zod';

export const roles = ['admin', 'operator', 'viewer'] as const;
export type Role = (typeof roles)[number];

export const Email = z
  .email({ error: ({ input }) => (input ? 'Email is invalid' : 'Email is required') })
  .max(254)
  .transform((email) => email.toLowerCase());

/** Checked here for size alone; the policy of the security settings decides. 256 characters hold any passphrase. */
export const NewPassword = z.string('Password is required').min(1, 'Password is required').max(256);
