import { z } from 'zod';

/** A certificate as a gateway serves it: secret, for the link and the gateway's own disk only. */
export const ServedCertificate = z.object({
  id: z.string().max(64),
  siteId: z.string().max(64).optional(),
  /** PEM, leaf first */
  chain: z.string().max(256 * 1024),
  /** PEM */
  privateKey: z.string().max(256 * 1024),
});
export type ServedCertificate = z.infer<typeof ServedCertificate>;

/** What every gateway answers under /.well-known/acme-challenge/ while an order is open: RFC 8555 §8.3. */
export const AcmeChallengeAnswer = z.object({
  token: z
    .string()
    .max(512)
    .regex(/^[\w-]+$/),
  keyAuthorization: z.string().max(2048),
});
export type AcmeChallengeAnswer = z.infer<typeof AcmeChallengeAnswer>;
