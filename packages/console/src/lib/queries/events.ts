import { eventEndpoints } from '@portcullis/contract/api';
import type { AuditEntry } from '@portcullis/contract/events';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/index.ts';

/** Which of the newest log entries to read: comma-separated `level` and `action`, as the contract sends them. */
export interface AuditFilter {
  limit?: number;
  level?: string;
  action?: string;
  siteId?: string;
  requestId?: string;
  /** Unix milliseconds: nothing older */
  since?: number;
}

/** The newest security log entries that pass the filter, newest first. */
export const auditQuery = (filter: AuditFilter) =>
  queryOptions({
    queryKey: ['audit', filter],
    queryFn: ({ signal }): Promise<AuditEntry[]> => call(eventEndpoints.audit, { query: filter }, signal),
  });

/** The client's address, under either name that servers give it. */
export const clientAddress = (entry: AuditEntry): string => entry.clientIP ?? entry.ip ?? '–';
