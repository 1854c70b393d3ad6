import { z } from 'zod';
import { Email, NewPassword, roles } from './credentials.ts';

export const UserCreate = z.object({
  email: Email,
  role: z.enum(roles).default('viewer'),
  password: NewPassword,
});
export const UserUpdate = z.object({
  email: Email.optional(),
  role: z.enum(roles).optional(),
  /** blank keeps the present one */
  password: z.union([z.literal(''), NewPassword]).optional(),
  disabled: z.boolean().optional(),
  /** of the user that was read before; a stale one is refused */
  version: z.number().int().optional(),
});
