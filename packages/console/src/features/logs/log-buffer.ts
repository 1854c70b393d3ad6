import type { AuditEntry } from '@portcullis/contract/events';
import { actionLabel } from '../../lib/messages/actions.ts';

/** How many entries the live view keeps, newest first. */
export const bufferLimit = 500;

/** What the counters show: everything that came since the last Clear, not only what is still kept. */
export interface LogCounts {
  total: number;
  error: number;
  warning: number;
  info: number;
}

/** One immutable state of the live view. */
export interface LogView {
  entries: readonly AuditEntry[];
  counts: LogCounts;
  /** events that came faster than the server could send them */
  missed: number;
  /** since when more came, while there was no connection, than could be fetched; Unix milliseconds */
  gapSince: number | undefined;
}

/** Nothing seen yet. */
export const emptyView: LogView = {
  entries: [],
  counts: { total: 0, error: 0, warning: 0, info: 0 },
  missed: 0,
  gapSince: undefined,
};

/**
 * Adds a batch, in the order in which it came. Entries beyond the limit are forgotten; an id that is already
 * kept is not added twice (a stream that resumes may repeat).
 */
export function addBatch(view: LogView, batch: readonly AuditEntry[]): LogView {
  const kept = new Set(view.entries.map((entry) => entry.id));
  const fresh = batch.filter((entry) => !kept.has(entry.id));
  if (fresh.length === 0) return view;
  const newestFirst = fresh.slice(-bufferLimit).reverse();
  const entries = [...newestFirst, ...view.entries.slice(0, Math.max(0, bufferLimit - newestFirst.length))];
  return { ...view, entries, counts: count(view.counts, fresh) };
}

/** Sets what is stored (newest first) in between what came live, by its time, as far as there is room. */
export function addStored(view: LogView, stored: readonly AuditEntry[]): LogView {
  const kept = new Set(view.entries.map((entry) => entry.id));
  const fresh = stored.filter((entry) => !kept.has(entry.id));
  if (fresh.length === 0) return view;
  const entries = [...view.entries, ...fresh]
    .map((entry) => ({ entry, time: Date.parse(entry.timestamp) }))
    .sort((a, b) => b.time - a.time)
    .slice(0, bufferLimit)
    .map(({ entry }) => entry);
  const added = new Set(fresh);
  return {
    ...view,
    entries,
    counts: count(
      view.counts,
      entries.filter((entry) => added.has(entry)),
    ),
  };
}

function count(before: LogCounts, added: readonly AuditEntry[]): LogCounts {
  const counts = { ...before };
  for (const entry of added) {
    counts.total += 1;
    const counter = counterOf(entry.level);
    if (counter) counts[counter] += 1;
  }
  return counts;
}

function counterOf(level: string): 'error' | 'warning' | 'info' | undefined {
  if (level === 'error' || level === 'critical') return 'error';
  return level === 'warning' || level === 'info' ? level : undefined;
}

/** What the filter sidebar holds; the site goes to the server, and so does a single level. */
export interface LogFilter {
  /** lower case */
  text: string;
  levels: readonly string[];
}

/** Whether an entry is of one of the levels; of any where none is named. */
export const isOfLevel = ({ level }: AuditEntry, levels: readonly string[]): boolean =>
  levels.length === 0 || levels.includes(level === 'critical' ? 'error' : level);

/** Whether an entry passes: its level, and the text somewhere in what is shown of it. */
export function passes(entry: AuditEntry, filter: LogFilter): boolean {
  if (!isOfLevel(entry, filter.levels)) return false;
  if (filter.text === '') return true;
  const { message, path, clientIP, ip, siteName, host, ruleId, requestId, action, userAgent } = entry;
  const said = actionLabel(action);
  return [message, path, clientIP, ip, siteName, host, ruleId, requestId, action, said, userAgent].some(
    (part) => part?.toLowerCase().includes(filter.text),
  );
}
