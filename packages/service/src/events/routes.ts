import { endpoints } from '@portcullis/contract/api';
import { type AuditEntry, type AuditQuery, actionOfDecision, decisions } from '@portcullis/contract/events';
import type { FastifyInstance } from 'fastify';
import { entryOfRecord, newestRecords } from '../audit/index.ts';
import { serve } from '../http/index.ts';
import { success } from '../outcome.ts';
import type { Storage } from '../storage/index.ts';
import { entryOfEvent } from './present.ts';
import { newestEvents } from './repository.ts';

export interface EventParts {
  readonly storage: Storage;
  /** @returns the name of a site of the present configuration */
  siteName(siteId: string): string | undefined;
}

/** Which decisions an action filter asks for: `blocked` means block. */
function decisionsOf(actions: readonly string[] | undefined): string[] | undefined {
  return actions && decisions.filter((decision) => actions.includes(actionOfDecision[decision]));
}

async function newestEntries({ storage, siteName }: EventParts, query: AuditQuery): Promise<AuditEntry[]> {
  const { limit, siteId, requestId } = query;
  const events = await newestEvents(storage.read, {
    limit,
    siteId,
    requestId,
    levels: query.level,
    decisions: decisionsOf(query.action),
    text: query.q,
    since: query.since,
    until: query.until,
  });
  // Administrators' actions have no request id.
  const records =
    requestId === undefined
      ? await newestRecords(storage.read, {
          limit,
          siteId,
          levels: query.level,
          actions: query.action,
          text: query.q,
          since: query.since,
          until: query.until,
        })
      : [];
  const entries = [
    ...events.map((event) =>
      entryOfEvent(event, event.siteId === undefined ? undefined : siteName(event.siteId)),
    ),
    ...records.map(entryOfRecord),
  ];
  // Where times are equal the order of each source stays, newest first.
  return entries.sort((a, b) => Date.parse(b.timestamp) - Date.parse(a.timestamp)).slice(0, limit);
}

/** GET /audit: gateways' events and administrators' actions as one list. */
export function eventRoutes(app: FastifyInstance, parts: EventParts): void {
  serve(app, endpoints.events.audit, async ({ query }) => success(await newestEntries(parts, query)));
}
