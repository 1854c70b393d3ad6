import { z } from 'zod';
import { AuditEntry, AuditQuery } from '../events/index.ts';
import { endpoint } from './endpoint.ts';

export const eventEndpoints = {
  audit: endpoint({
    method: 'GET',
    path: '/audit',
    access: { anyOf: ['audit:view'] },
    summary: 'The newest security log entries, newest first',
    query: AuditQuery,
    response: z.array(AuditEntry),
  }),
} as const;
