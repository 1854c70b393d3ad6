import type { SecurityEvent } from '@portcullis/contract/events';
import type { Storage } from '../storage/index.ts';
import { rowFilter } from './filter.ts';
import { searchEvents } from './search.ts';

export interface NewestFilter {
  readonly limit: number;
  readonly siteId?: string | undefined;
  /** Unix milliseconds; older ones are left out */
  readonly since?: number | undefined;
  /** leaves out events without a category */
  readonly withCategory?: boolean;
}

/** The newest events that fit, newest first, however long it takes. */
export async function newestEvents(
  { read, dialect }: Pick<Storage, 'read' | 'dialect'>,
  { limit, siteId, since: from, withCategory = false }: NewestFilter,
): Promise<SecurityEvent[]> {
  const filter = { ...rowFilter({ siteId }), from, withCategory };
  const timeLimitMs = Number.POSITIVE_INFINITY;
  return (await searchEvents({ read, dialect, filter, limit, timeLimitMs })).events;
}
