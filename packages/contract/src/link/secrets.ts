import { z } from 'zod';

/**
 * A key that all gateways sign and verify with, so that a pass of one counts with every other. The first key
 * signs, all verify, so that rotation ends no pass early.
 */
export const SharedKey = z.object({
  id: z
    .string()
    .min(1)
    .max(16)
    .regex(/^[\w-]+$/),
  /** base64, 32 bytes or more */
  secret: z.base64().min(43).max(256),
});
export type SharedKey = z.infer<typeof SharedKey>;

/** What gateways share and nobody else may see. Each list may be empty: a gateway then makes its own. */
export const GatewaySecrets = z.object({
  /** for challenge passes, newest first */
  challengeKeys: z.array(SharedKey).max(8).default([]),
  /** for TLS session tickets: base64 of 48 bytes, shared so that a session resumes with any worker */
  ticketKey: z.base64().length(64).optional(),
});
export type GatewaySecrets = z.infer<typeof GatewaySecrets>;
