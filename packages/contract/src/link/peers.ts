import { z } from 'zod';
import { IssueStep } from '../certificates/index.ts';
import { AuditEntry } from '../events/index.ts';
import { ServiceReport } from './service-report.ts';

/** Attacks that a service stored, summed up: what notifications go by. */
export const AttackTally = z.object({
  count: z.number().int().min(1),
  site: z.string(),
  category: z.string(),
  address: z.string(),
});
export type AttackTally = z.infer<typeof AttackTally>;

/** What one service tells the others on the same database. */
export const PeerMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('configuration'), version: z.number().int() }),
  z.object({ type: z.literal('sessions-ended') }),
  z.object({ type: z.literal('token-key') }),
  /** somebody reads the live log there; said every few seconds */
  z.object({ type: z.literal('reading') }),
  /** stored there, oldest first; only told while somebody reads elsewhere */
  z.object({ type: z.literal('entries'), entries: z.array(AuditEntry) }),
  z.object({ type: z.literal('service'), report: ServiceReport }),
  /** steps so far towards a site's certificate; without them the attempt is over */
  z.object({
    type: z.literal('issuing'),
    siteId: z.string().max(64),
    steps: z.array(IssueStep).max(1000).optional(),
  }),
  z.object({ type: z.literal('attacks'), attacks: z.array(AttackTally) }),
]);
export type PeerMessage = z.infer<typeof PeerMessage>;
