import { createHash } from 'node:crypto';
import type { AdminActionCode } from '@portcullis/contract/events';

/** An action of an administrator, or of someone who tried to be one. */
export interface AdminAction {
  readonly action: AdminActionCode;
  readonly level: 'info' | 'warning' | 'error';
  /** one sentence for a person */
  readonly message: string;
  /** email of the signed-in user; `system` for what nobody did by hand */
  readonly actor: string;
  readonly ip: string;
  /** id of what was acted on */
  readonly target?: string | undefined;
  readonly siteId?: string | undefined;
  /** what changed, secrets left out */
  readonly details?: unknown;
}

/** An action as it is stored: dated, identified and chained. */
export interface AdminRecord extends Omit<AdminAction, 'action'> {
  /** a code of before stays as it was written */
  readonly action: string;
  readonly id: string;
  /** Unix milliseconds */
  readonly time: number;
}

/** What the first entry chains to. */
export const chainStart = '0'.repeat(64);

/**
 * Each entry's hash covers the one before, so an entry that is changed or taken out breaks the chain from there
 * on. It shows tampering with the table; who can rewrite the whole table can also rewrite the chain.
 */
export function chainHash(previous: string, record: AdminRecord): string {
  const { id, time, level, action, message, actor, ip, target, siteId } = record;
  const details = JSON.stringify(record.details ?? null);
  const text = JSON.stringify([
    previous,
    id,
    time,
    level,
    action,
    message,
    actor,
    ip,
    target ?? null,
    siteId ?? null,
    details,
  ]);
  return createHash('sha256').update(text).digest('hex');
}
