import { z } from 'zod';

export const certificateSources = ['uploaded', 'acme'] as const;

/**
 * `pending`: an attempt to issue is under way; `failed`: none was issued and the last attempt failed. The last good
 * certificate stays in force meanwhile.
 */
export const certificateStates = ['valid', 'expiring', 'expired', 'pending', 'failed'] as const;

/** What one step of issuing did, in the order in which they happened, so that a failure explains itself. */
export const IssueStep = z.object({
  step: z.enum(['account', 'order', 'authorization', 'challenge', 'validation', 'finalize', 'download']),
  status: z.enum(['done', 'failed']),
  /** one sentence for a person, with the authority's own words where it gave some */
  detail: z.string().max(2048),
  time: z.string(),
});
export type IssueStep = z.infer<typeof IssueStep>;

/** A certificate as the console shows it. The private key never leaves the service but to the gateways. */
export const Certificate = z.object({
  id: z.string().max(64),
  siteId: z.string().max(64),
  source: z.enum(certificateSources),
  state: z.enum(certificateStates),
  /** DNS names that it is for; empty while none was issued */
  domains: z.array(z.string().max(253)),
  issuer: z.string().max(1024).default(''),
  /** SHA-256 of the leaf, colon-separated hex */
  fingerprint: z.string().max(128).default(''),
  notBefore: z.string().optional(),
  notAfter: z.string().optional(),
  /** when the next attempt to issue or renew is due; absent for uploaded ones */
  renewAt: z.string().optional(),
  /** the last attempt's steps, or those so far while one is under way */
  steps: z.array(IssueStep).default([]),
});
export type Certificate = z.infer<typeof Certificate>;

const pem = z.string().max(256 * 1024);

/** A certificate chain, leaf first, and its private key, both PEM. */
export const CertificateUpload = z.object({
  certificate: pem.min(1, 'A certificate is required'),
  privateKey: pem.min(1, 'A private key is required'),
});
export type CertificateUpload = z.infer<typeof CertificateUpload>;
