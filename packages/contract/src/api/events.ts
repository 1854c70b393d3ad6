import { z } from 'zod';
import {
  AdminAuditPage,
  AdminAuditQuery,
  AuditChain,
  AuditEntry,
  AuditQuery,
  EventExportQuery,
  EventFacets,
  EventFilter,
  EventPage,
  EventSearchQuery,
} from '../events/index.ts';
import { endpoint } from './endpoint.ts';

export const eventEndpoints = {
  audit: endpoint({
    method: 'GET',
    path: '/audit',
    access: { anyOf: ['audit:view'] },
    summary:
      'The newest security log entries, newest first; GET /events and GET /audit/admin go on page by page, and say where a search by text stopped at its time limit',
    query: AuditQuery,
    response: z.array(AuditEntry),
  }),
  search: endpoint({
    method: 'GET',
    path: '/events',
    access: { anyOf: ['audit:view'] },
    summary: 'Events that fit a filter, newest first, page by page',
    query: EventSearchQuery,
    response: EventPage,
  }),
  facets: endpoint({
    method: 'GET',
    path: '/events/facets',
    access: { anyOf: ['audit:view'] },
    summary: 'The most frequent rules, addresses, paths and more among the events that fit',
    query: EventFilter,
    response: EventFacets,
  }),
  export: endpoint({
    method: 'GET',
    path: '/events/export',
    access: { anyOf: ['audit:export'] },
    summary: 'All events that fit, as a stream of NDJSON, JSON or CSV',
    query: EventExportQuery,
    produces: ['application/x-ndjson', 'application/json', 'text/csv'],
  }),
  admin: endpoint({
    method: 'GET',
    path: '/audit/admin',
    access: { anyOf: ['audit:view'] },
    summary: "Administrators' actions, newest first, and whether their chain is whole",
    query: AdminAuditQuery,
    response: AdminAuditPage,
  }),
  verify: endpoint({
    method: 'POST',
    path: '/audit/admin/verify',
    access: { anyOf: ['audit:export'] },
    summary: "Looks at every one of administrators' actions anew, and tells whether their chain is whole",
    response: AuditChain,
  }),
} as const;
