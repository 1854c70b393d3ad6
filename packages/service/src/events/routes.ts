import { endpoints } from '@portcullis/contract/api';
import {
  type AdminAuditEntry,
  type AuditChain,
  type AuditEntry,
  type AuditQuery,
  actionOfDecision,
  type Decision,
  type SecurityEvent,
} from '@portcullis/contract/events';
import type { FastifyInstance } from 'fastify';
import {
  type AdminRecord,
  type ChainState,
  type ChainWatch,
  entryOfRecord,
  newestRecords,
  pageOfRecords,
} from '../audit/index.ts';
import { Turnstile } from '../auth/index.ts';
import type { Countries } from '../countries/index.ts';
import { serve, serveStream } from '../http/index.ts';
import { failure, invalid, success } from '../outcome.ts';
import type { Storage } from '../storage/index.ts';
import { exportText, exportTypes } from './export.ts';
import { countFacets } from './facets.ts';
import { rowFilter } from './filter.ts';
import { PageTurns } from './page-turns.ts';
import { type EntryContext, entryOfEvent } from './present.ts';
import { namedRule } from './rule-names.ts';
import { decodeCursor, encodeCursor, searchEvents } from './search.ts';

export interface EventParts extends Pick<EntryContext, 'siteName'> {
  readonly storage: Storage;
  readonly countries: Countries;
  readonly chain: ChainWatch;
  ruleName(ruleId: string): Promise<string | undefined>;
}

async function newestEntries(parts: EventParts, query: AuditQuery): Promise<AuditEntry[]> {
  const { storage } = parts;
  const { limit, siteId, requestId } = query;
  const { level, action, q: text, since: from, until: to } = query;
  const { read, dialect } = storage;
  const filter = { ...rowFilter({ siteId, requestId, level, action, text }), from, to };
  const { events, partial, next } = await searchEvents({ read, dialect, filter, limit });
  // What was not looked at any more may stand between: the list has an end then, and no gap.
  const searchedTo = partial && next ? next.time : undefined;
  // Administrators' actions have no request id.
  const records =
    requestId === undefined
      ? await newestRecords(storage.read, {
          limit,
          siteId,
          levels: query.level,
          actions: query.action,
          text: query.q,
          since: searchedTo === undefined ? from : Math.max(searchedTo, from ?? 0),
          until: query.until,
        })
      : [];
  const entries = [...events.map(presenter(parts)), ...records.map(entryOfRecord)];
  // Where times are equal the order of each source stays, newest first.
  return entries.sort((a, b) => Date.parse(b.timestamp) - Date.parse(a.timestamp)).slice(0, limit);
}

const presenter = ({ siteName, countries }: EventParts) => {
  const context = { siteName, ...countries };
  return (event: SecurityEvent) => entryOfEvent(event, context);
};

function searchRoutes(app: FastifyInstance, parts: EventParts): void {
  const { read, dialect } = parts.storage;
  const countryOf = parts.countries.available ? parts.countries.countryOf : undefined;

  serve(app, endpoints.events.search, async ({ query }) => {
    const after = query.cursor === undefined ? undefined : decodeCursor(query.cursor);
    if (query.cursor !== undefined && !after) {
      return invalid([{ path: 'query.cursor', message: 'Use `next` of the page before' }]);
    }
    const page = await searchEvents({ read, dialect, filter: rowFilter(query), limit: query.limit, after });
    return success({
      entries: page.events.map(presenter(parts)),
      next: page.next ? encodeCursor(page.next) : null,
      partial: page.partial,
      ...(page.partial && page.next && { searchedTo: new Date(page.next.time).toISOString() }),
    });
  });

  const facetTurns = new Turnstile();
  serve(app, endpoints.events.facets, async ({ query, actor }) => {
    const counted = await facetTurns.pass(actor.userId, () =>
      countFacets(read, dialect, rowFilter(query), countryOf),
    );
    if (!counted) return failure('too_many_requests', { retryAfterSeconds: 5 });
    const { decisions, ...facets } = counted;
    const actions = decisions.map(({ value, count }) => ({
      value: actionOfDecision[value as Decision],
      count,
    }));
    const rules = await Promise.all(facets.rules.map((rule) => namedRule(parts, rule)));
    return success({ ...facets, rules, actions });
  });

  const turns = new PageTurns();
  serveStream(app, endpoints.events.export, async ({ query }) =>
    success({
      type: exportTypes[query.format],
      filename: `portcullis-events.${query.format}`,
      text: exportText({ read, dialect, filter: rowFilter(query) }, query.format, presenter(parts), turns),
    }),
  );
}

function presentAdmin(record: AdminRecord): AdminAuditEntry {
  const { id, time, level, action, message, actor, ip, target, siteId, details = null } = record;
  const timestamp = new Date(time).toISOString();
  return {
    ...{ id, timestamp, level, action, message, actor, ip },
    details: details as AdminAuditEntry['details'],
    ...(target !== undefined && { target }),
    ...(siteId !== undefined && { siteId }),
  };
}

function presentChain({ brokenAt, checked, checkedWholeAt }: ChainState): AuditChain {
  const at = checkedWholeAt === null ? null : new Date(checkedWholeAt).toISOString();
  return { brokenAt: brokenAt ?? null, checked, checkedWholeAt: at };
}

/** The security log: the newest entries, search, facets, export, and administrators' actions with their chain. */
export function eventRoutes(app: FastifyInstance, parts: EventParts): void {
  const { read } = parts.storage;
  serve(app, endpoints.events.audit, async ({ query }) => success(await newestEntries(parts, query)));

  serve(app, endpoints.events.admin, async ({ query }) => {
    const records = await pageOfRecords(read, query);
    if (!records) {
      return invalid([{ path: 'query.before', message: 'Use the id of the last entry of the page before' }]);
    }
    const entries = records.map(presentAdmin);
    if (query.before !== undefined) return success({ entries, brokenAt: null });
    const chain = presentChain(await parts.chain.look());
    return success({ entries, brokenAt: chain.brokenAt, chain });
  });

  serve(app, endpoints.events.verify, async () => success(presentChain(await parts.chain.lookAtAll())));

  searchRoutes(app, parts);
}
