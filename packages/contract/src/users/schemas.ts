import { z } from 'zod';

/** A console user as the API shows one. Optional fields are tolerated missing from other servers. */
export const User = z.object({
  id: z.string(),
  email: z.string(),
  displayName: z.string().optional(),
  role: z.string(),
  permissions: z.array(z.string()).default([]),
  totp_enabled: z.boolean().default(false),
  totpEnabled: z.boolean().optional(),
  /** signed in, but nothing beyond the own account may be done before 2FA is set up */
  totp_setup_required: z.boolean().optional(),
  /** kept from signing in; absent where the server knows no such state */
  disabled: z.boolean().optional(),
  created_at: z.string().optional(),
  /** rises with each saved change of what the account is */
  version: z.number().int().optional(),
  last_login: z.string().nullable().optional(),
});
export type User = z.infer<typeof User>;
