import { certificateSources, IssueStep } from '@portcullis/contract/certificates';
import { z } from 'zod';
import { ObjectStore } from '../configuration/index.ts';
import type { Sealer } from '../sealing/index.ts';

/** A site's certificate as it is stored: one a site, its private key sealed. */
export const StoredCertificate = z.object({
  source: z.enum(certificateSources),
  /** PEM, leaf first; empty while none was issued */
  chain: z.string(),
  sealedKey: z.string(),
  /** of the last attempt to issue */
  steps: z.array(IssueStep),
  /** attempts that failed since the last good one */
  failures: z.number().int(),
  /** Unix milliseconds of the next attempt; absent for uploaded ones */
  nextAttemptAt: z.number().optional(),
});
export type StoredCertificate = z.infer<typeof StoredCertificate>;

/** Binds a sealed key to its use. */
export const keyPurpose = 'certificate-key';

/** Whether the private key can be read; where none was issued yet, nothing stands in the way. */
export const opensKey = ({ chain, sealedKey }: StoredCertificate, sealer: Sealer): boolean =>
  chain === '' || sealer.open(sealedKey, keyPurpose) !== undefined;

/** The certificate of each site, whose parent it is. */
export const certificateStore = (): ObjectStore<StoredCertificate> =>
  new ObjectStore<StoredCertificate>('certificate', StoredCertificate);

const OpenChallenge = z.object({ token: z.string(), keyAuthorization: z.string() });
export type OpenChallenge = z.infer<typeof OpenChallenge>;

/** What gateways answer while orders are open. */
export const challengeStore = (): ObjectStore<OpenChallenge> =>
  new ObjectStore<OpenChallenge>('acme_challenge', OpenChallenge);
