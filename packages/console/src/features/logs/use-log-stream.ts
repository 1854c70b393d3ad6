import { AuditEntry } from '@portcullis/contract/events';
import { MissedEntries } from '@portcullis/contract/streams';
import { useQueryClient } from '@tanstack/react-query';
import type { Dispatch, SetStateAction } from 'react';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { AuditFilter } from '../../lib/queries/index.ts';
import { auditQuery } from '../../lib/queries/index.ts';
import type { StreamState } from '../../lib/stream/index.ts';
import { openStream } from '../../lib/stream/index.ts';
import type { LogView } from './log-buffer.ts';
import { addBatch, addStored, emptyView } from './log-buffer.ts';

/** Arrivals are shown together this often, so that a flood costs few renders. */
const flushMs = 200;
/** A hidden tab's timer may sleep; beyond this many arrivals they are taken at once. */
const arrivalLimit = 1_000;
/** Entries of the past that the view starts with. */
const storedLimit = 200;

/** The live stream: its entries, its connection, and how to pause and clear it. */
export interface LogStream {
  view: LogView;
  state: StreamState;
  reason: 'no-token' | 'lost' | undefined;
  paused: boolean;
  setPaused: (paused: boolean) => void;
  clear: () => void;
}

/** What the server filters: one site, and levels (comma-separated). */
export interface LogStreamFilter {
  siteId: string | undefined;
  levels: string | undefined;
}

/** Follows GET /logs/stream. A change of the filter connects anew; pausing closes the stream. */
export function useLogStream(filter: LogStreamFilter): LogStream {
  const [view, setView] = useState(emptyView);
  const [connection, setConnection] = useState<Pick<LogStream, 'state' | 'reason'>>({
    state: 'connecting',
    reason: undefined,
  });
  const [paused, setPaused] = useState(false);
  const arrivals = useRef<Arrivals>({ entries: [], missed: 0 });
  const { siteId, levels } = filter;

  useEffect(() => {
    if (paused) return;
    const take = () => {
      const arrived = arrivals.current;
      if (arrived.entries.length === 0 && arrived.missed === 0) return;
      arrivals.current = { entries: [], missed: 0 };
      setView((before) => addArrivals(before, arrived));
    };
    const close = openStream({
      path: '/logs/stream',
      // The stream takes one level; several are filtered here.
      query: { siteId, level: levels?.includes(',') ? undefined : levels },
      onState: (state, reason) => setConnection({ state, reason }),
      on: {
        log: (data) => {
          collect(arrivals.current, data);
          if (arrivals.current.entries.length >= arrivalLimit) take();
        },
        missed: (data) => countMissed(arrivals.current, data),
      },
    });
    const timer = setInterval(take, flushMs);
    return () => {
      close();
      clearInterval(timer);
    };
  }, [paused, siteId, levels]);

  useStored(filter, setView);

  const clear = useCallback(() => {
    arrivals.current = { entries: [], missed: 0 };
    setView(emptyView);
  }, []);
  return { view, ...connection, paused, setPaused, clear };
}

/** Starts the view with what is stored, so that it is not empty until the next attack. */
function useStored(filter: LogStreamFilter, setView: Dispatch<SetStateAction<LogView>>): void {
  const client = useQueryClient();
  const { siteId, levels } = filter;
  useEffect(() => {
    let gone = false;
    const filter: AuditFilter = { limit: storedLimit };
    if (siteId) filter.siteId = siteId;
    if (levels) filter.level = levels;
    // What is stored comes as a courtesy: when it cannot be read, the live view stands as it is.
    client.fetchQuery(auditQuery(filter)).then(
      (stored) => {
        if (!gone) setView((before) => addStored(before, stored));
      },
      () => undefined,
    );
    return () => {
      gone = true;
    };
  }, [client, siteId, levels, setView]);
}

interface Arrivals {
  entries: AuditEntry[];
  missed: number;
}

function collect(arrivals: Arrivals, data: string): void {
  const entry = AuditEntry.safeParse(parseJson(data));
  if (!entry.success) return;
  arrivals.entries.push(entry.data);
}

function countMissed(arrivals: Arrivals, data: string): void {
  const marker = MissedEntries.safeParse(parseJson(data));
  if (marker.success) arrivals.missed += marker.data.missed;
}

function parseJson(data: string): unknown {
  try {
    return JSON.parse(data) as unknown;
  } catch {
    return undefined;
  }
}

/** The view with what arrived; the same view when nothing new did, so that nothing renders. */
function addArrivals(before: LogView, { entries, missed }: Arrivals): LogView {
  const next = addBatch(before, entries);
  return missed === 0 ? next : { ...next, missed: next.missed + missed };
}
