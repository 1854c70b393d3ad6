import type { AuditEntry } from '@portcullis/contract/events';
import { useQueryClient } from '@tanstack/react-query';
import type { Dispatch, SetStateAction } from 'react';
import { useCallback, useEffect } from 'react';
import type { AuditFilter } from '../../lib/queries/index.ts';
import { auditQuery } from '../../lib/queries/index.ts';
import type { LogView } from './log-buffer.ts';
import { addStored, bufferLimit } from './log-buffer.ts';

/** What the server filters: one site, and levels (comma-separated). */
export interface LogStreamFilter {
  siteId: string | undefined;
  levels: string | undefined;
}

/** A gateway's events reach the store a little later than they happen, longer while its way there was cut. */
const lateMs = 30_000;

/** Entries of the past that the view starts with. */
const storedLimit = 200;

/**
 * Starts the view with what is stored, so that it is not empty until the next attack.
 * @returns fetches what is stored since a moment (Unix milliseconds), for when the stream could not go on there
 */
export function useStored(
  filter: LogStreamFilter,
  setView: Dispatch<SetStateAction<LogView>>,
): (since: number) => void {
  const client = useQueryClient();
  const { siteId, levels } = filter;
  const fetchStored = useCallback(
    (limit: number, since?: number): Promise<AuditEntry[]> => {
      const asked: AuditFilter = { limit };
      if (siteId) asked.siteId = siteId;
      if (levels) asked.level = levels;
      if (since !== undefined) asked.since = since;
      return client.fetchQuery(auditQuery(asked));
    },
    [client, siteId, levels],
  );

  useEffect(() => {
    let gone = false;
    // What is stored comes as a courtesy: when it cannot be read, the live view stands as it is.
    fetchStored(storedLimit).then(
      (stored) => {
        if (!gone) setView((before) => addStored(before, stored));
      },
      () => undefined,
    );
    return () => {
      gone = true;
    };
  }, [fetchStored, setView]);

  return useCallback(
    (since: number) => {
      fetchStored(bufferLimit, since - lateMs).then(
        (stored) => setView((now) => closeGap(now, stored, since)),
        // Nothing was fetched, so all of it is missing.
        () => setView((now) => ({ ...now, gapSince: since })),
      );
    },
    [fetchStored, setView],
  );
}

/** What was stored meanwhile; where there was more than the list holds, since when is kept. */
function closeGap(view: LogView, stored: readonly AuditEntry[], since: number): LogView {
  const next = addStored(view, stored);
  return stored.length < bufferLimit ? next : { ...next, gapSince: since };
}
