import { endpoints } from '@portcullis/contract/api';
import type { AuditEntry, EventFacets } from '@portcullis/contract/events';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { ApiError, call } from '../../lib/api/index.ts';
import { parseTime } from '../../lib/format/index.ts';
import { passes } from './log-buffer.ts';
import type { LogsSearch } from './search.ts';
import { ranges } from './search.ts';

const pageSize = 100;
const facetsStaleMs = 30_000;
/** Moves with the minute, so that what was just searched is found in the cache. */
const minuteMs = 60_000;

/** One page of stored events and where the next one begins. */
interface Page {
  entries: AuditEntry[];
  next: Next | null;
  /** the service stopped at its time limit before the page was full */
  partial: boolean;
  /** how far back it looked before it stopped */
  searchedTo?: string | undefined;
}
/** A cursor of the service, or for servers without the search a moment, Unix milliseconds. */
type Next = string | number;

/** A whole request ID, as it stands on the block page. */
const requestId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** A whole address, which has an index; a part of one is searched as text. */
const address = /^(\d{1,3}(\.\d{1,3}){3}|[0-9a-f:]*:[0-9a-f:]*:[0-9a-f:.]+)$/i;

/** @returns the service's filter for what the address says */
export function filterOf(search: LogsSearch, now: number) {
  const text = (search.q ?? '').trim();
  const byId = requestId.test(text);
  const byAddress = !byId && address.test(text);
  const span = ranges[search.range ?? 'week'];
  const since = span === undefined ? undefined : Math.floor((now - span) / minuteMs) * minuteMs;
  return {
    siteId: search.site,
    level: search.level,
    action: search.action,
    would: search.would,
    category: search.category,
    ruleId: search.rule,
    path: search.path,
    status: search.status,
    clientIp: search.ip ?? (byAddress ? text : undefined),
    requestId: byId ? text.toLowerCase() : undefined,
    text: byId || (byAddress && !search.ip) || text.length < 2 ? undefined : text,
    // One request is looked for wherever it is.
    from: search.from ?? (byId || since === undefined ? undefined : new Date(since).toISOString()),
    to: search.to,
  };
}

type Filter = ReturnType<typeof filterOf>;

async function searchPage(filter: Filter, after: Next | undefined, signal: AbortSignal): Promise<Page> {
  if (typeof after !== 'number') {
    try {
      return await call(
        endpoints.events.search,
        { query: { ...filter, limit: pageSize, cursor: after } },
        signal,
      );
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 404)) throw error;
    }
  }
  return newestPage(filter, typeof after === 'number' ? after : undefined, signal);
}

/**
 * The same millisecond once more: entries of it may stand on both sides of the page's end. Where it fills a page, what
 * is left of it cannot be asked for, and what is older comes next.
 */
export const nextUntil = (oldest: number, until: number | undefined) =>
  oldest + 1 === until ? oldest : oldest + 1;

/** For servers that keep the public calls alone: their newest entries; what does not fit is left out here. */
async function newestPage(filter: Filter, until: number | undefined, signal: AbortSignal): Promise<Page> {
  const { siteId, level, action, would, requestId, text, from } = filter;
  const since = from === undefined ? undefined : Date.parse(from);
  const query = { limit: pageSize, siteId, level, action, requestId, q: text, since, until };
  const all = await call(endpoints.events.audit, { query }, signal);
  const oldest = parseTime(all.at(-1)?.timestamp)?.getTime();
  return {
    entries: all.filter(
      (entry) =>
        passes(entry, { text: text?.toLowerCase() ?? '', levels: [] }) &&
        (would === undefined || would.split(',').includes(entry.would ?? '')),
    ),
    next: all.length < pageSize || oldest === undefined ? null : nextUntil(oldest, until),
    partial: false,
  };
}

/** Pages without a find that are asked for by themselves, a second and a half each: two minutes. */
const goesOnFor = 80;

/** Goes on while pages end without having found anything, until it is told to stop. */
function useGoingOn(
  filter: Filter,
  pages: readonly Page[],
  history: { isFetching: boolean; isError: boolean; fetchNextPage: () => Promise<unknown> },
) {
  const [stopped, setStopped] = useState<Filter>();
  const { isFetching, isError, fetchNextPage } = history;
  const last = pages.at(-1);
  const nothing = last?.partial === true && pages.every(({ entries }) => entries.length === 0);
  const goesOn = nothing && pages.length < goesOnFor && stopped !== filter && !isError;
  useEffect(() => {
    if (goesOn && !isFetching) void fetchNextPage();
  }, [goesOn, isFetching, fetchNextPage]);
  return {
    searchedTo: last?.partial ? last.searchedTo : undefined,
    stop: goesOn ? () => setStopped(filter) : undefined,
  };
}

function useFilter(search: LogsSearch): Filter {
  const settled = useDeferredValue(search);
  return useMemo(() => filterOf(settled, Date.now()), [settled]);
}

/** What is stored and fits, newest first, page by page. */
export function useHistory(search: LogsSearch) {
  const filter = useFilter(search);
  const history = useInfiniteQuery({
    queryKey: ['history', filter],
    initialPageParam: undefined as Next | undefined,
    queryFn: ({ pageParam, signal }): Promise<Page> => searchPage(filter, pageParam, signal),
    getNextPageParam: ({ next }): Next | undefined => next ?? undefined,
  });
  const { data } = history;
  const goingOn = useGoingOn(filter, data?.pages ?? [], history);
  const entries = useMemo(
    () =>
      data && [
        ...new Map(data.pages.flatMap((page) => page.entries).map((entry) => [entry.id, entry])).values(),
      ],
    [data],
  );
  return {
    entries,
    failed: history.isError,
    since: history.dataUpdatedAt,
    busy: history.isFetching,
    partial: data?.pages.at(-1)?.partial ?? false,
    ...goingOn,
    retry: () => void history.refetch(),
    more: history.hasNextPage ? () => void history.fetchNextPage() : undefined,
  };
}

/** The most frequent rules, addresses, paths and categories of what fits; undefined while or where there are none. */
export function useFacets(search: LogsSearch): EventFacets | undefined {
  const filter = useFilter(search);
  return useQuery({
    queryKey: ['history', 'facets', filter],
    queryFn: ({ signal }) => call(endpoints.events.facets, { query: filter }, signal),
    staleTime: facetsStaleMs,
    retry: false,
  }).data;
}
