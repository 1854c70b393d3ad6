import type { AuditEntry } from '@portcullis/contract/events';
import type { AdminRecord } from './admin-audit.ts';

/** An administrator's action as an entry of the security log; what changed is read from the history instead. */
export function entryOfRecord(record: AdminRecord): AuditEntry {
  return {
    id: record.id,
    timestamp: new Date(record.time).toISOString(),
    level: record.level,
    action: record.action,
    message: record.message,
    clientIP: record.ip,
    kind: 'admin',
    actor: record.actor,
    ...(record.siteId !== undefined && { siteId: record.siteId }),
  };
}
