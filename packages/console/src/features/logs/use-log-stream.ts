import { AuditEntry } from '@portcullis/contract/events';
import { MissedEntries } from '@portcullis/contract/streams';
import { useCallback, useEffect, useRef, useState } from 'react';
import { readTolerant } from '../../lib/api/index.ts';
import type { StreamPosition, StreamState } from '../../lib/stream/index.ts';
import { openStream } from '../../lib/stream/index.ts';
import { useVisible } from '../../lib/system/index.ts';
import type { LogView } from './log-buffer.ts';
import { addBatch, emptyView, isOfLevel } from './log-buffer.ts';
import type { LogStreamFilter } from './use-stored.ts';
import { useStored } from './use-stored.ts';

/** Arrivals are shown together this often, so that a flood costs few renders. */
const flushMs = 200;
/** A hidden tab's timer may sleep; beyond this many arrivals they are taken at once. */
const arrivalLimit = 1_000;

/** The live stream: its entries, its connection, and how to pause and clear it. */
export interface LogStream {
  view: LogView;
  state: StreamState;
  reason: 'no-token' | 'lost' | undefined;
  paused: boolean;
  setPaused: (paused: boolean) => void;
  clear: () => void;
}

interface Arrivals {
  entries: AuditEntry[];
  missed: number;
}

/** What is followed, and how far. */
interface Followed {
  filter: string;
  arrivals: Arrivals;
  /** the id of the last event that came */
  position: StreamPosition;
  /** the time of its entry, before the first one the time of the beginning; Unix milliseconds */
  lastTime: number;
}

const beginning = (filter: string): Followed => ({
  filter,
  arrivals: { entries: [], missed: 0 },
  position: { lastEventId: undefined },
  lastTime: Date.now(),
});

/**
 * Follows GET /logs/stream. A change of the filter begins anew; pausing, leaving the live view and hiding the tab close
 * the stream, and afterwards it goes on after the last entry that came.
 * @param live whether the live view is shown
 */
export function useLogStream(filter: LogStreamFilter, live: boolean): LogStream {
  const { siteId, levels } = filter;
  const [view, setView] = useState(emptyView);
  const [connection, setConnection] = useState<Pick<LogStream, 'state' | 'reason'>>({
    state: 'connecting',
    reason: undefined,
  });
  const [paused, setPaused] = useState(false);
  const followed = useRef(beginning(''));
  const open = useVisible() && live && !paused;
  const fillGap = useStored(filter, setView);

  useEffect(() => {
    const key = JSON.stringify([siteId, levels]);
    if (followed.current.filter !== key) {
      // What fits another filter is another list.
      followed.current = beginning(key);
      setView(emptyView);
    }
    if (!open) return;
    const now = followed.current;
    const take = () => {
      const { arrivals } = now;
      if (arrivals.entries.length === 0 && arrivals.missed === 0) return;
      now.arrivals = { entries: [], missed: 0 };
      setView((before) => addArrivals(before, arrivals));
    };
    const close = openStream({
      path: '/logs/stream',
      // The stream takes one level; several are filtered here, before they would push others out of the list.
      query: { siteId, level: levels?.includes(',') ? undefined : levels },
      position: now.position,
      onState: (state, reason) => setConnection({ state, reason }),
      on: { ...listeners(now, take, levels?.split(',') ?? []), gap: () => fillGap(now.lastTime) },
    });
    const timer = setInterval(take, flushMs);
    return () => {
      close();
      clearInterval(timer);
      take();
    };
  }, [open, siteId, levels, fillGap]);

  const clear = useCallback(() => {
    followed.current.arrivals = { entries: [], missed: 0 };
    setView(emptyView);
  }, []);
  return { view, ...connection, paused, setPaused, clear };
}

function listeners(
  followed: Followed,
  take: () => void,
  levels: readonly string[],
): Record<string, (data: string) => void> {
  return {
    log: (data) => {
      const entry = readEntry(data);
      if (!entry) return;
      if (isOfLevel(entry, levels)) followed.arrivals.entries.push(entry);
      followed.lastTime = Date.parse(entry.timestamp) || followed.lastTime;
      if (followed.arrivals.entries.length >= arrivalLimit) take();
    },
    // It carries where the stream stands, which `openStream` keeps.
    ping: () => undefined,
    missed: (data) => {
      const marker = MissedEntries.safeParse(parseJson(data));
      if (marker.success) followed.arrivals.missed += marker.data.missed;
    },
  };
}

/** @returns an entry as tolerantly as the stored ones are read; undefined for what is none */
export function readEntry(data: string): AuditEntry | undefined {
  const sent = parseJson(data);
  return typeof sent === 'object' && sent !== null ? readTolerant(AuditEntry, sent) : undefined;
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
