import { z } from 'zod';
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
  z.object({ type: z.literal('attacks'), attacks: z.array(AttackTally) }),
]);
export type PeerMessage = z.infer<typeof PeerMessage>;
