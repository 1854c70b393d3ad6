import { z } from 'zod';
import { permissions } from './permissions.ts';

/** A key for scripts: acts as its owner within its own permissions, never beyond what the owner still holds. */
export const ApiToken = z.object({
  id: z.string(),
  name: z.string(),
  permissions: z.array(z.string()),
  /** the first characters of the token, to tell one from another */
  prefix: z.string(),
  created_at: z.string(),
  /** null: until it is revoked */
  expires_at: z.string().nullable(),
  last_used: z.string().nullable(),
});
export type ApiToken = z.infer<typeof ApiToken>;

export const ApiTokenCreate = z.object({
  name: z.string().trim().min(1, 'Name is required').max(80),
  permissions: z.array(z.enum(permissions)).min(1, 'Choose at least one permission'),
  /** absent or null: until it is revoked */
  expiresInDays: z.number().int().min(1).max(365).nullable().optional(),
});
export type ApiTokenCreate = z.infer<typeof ApiTokenCreate>;

/** `secret` is shown this once; the service keeps only its hash. */
export const ApiTokenCreated = z.object({ secret: z.string(), token: ApiToken });
export type ApiTokenCreated = z.infer<typeof ApiTokenCreated>;
