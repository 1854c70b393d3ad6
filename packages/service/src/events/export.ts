import type { AuditEntry, EventExportQuery, SecurityEvent } from '@portcullis/contract/events';
import type { PageTurns } from './page-turns.ts';
import { type SearchOptions, searchEvents } from './search.ts';

/** Events of one page while exporting: large enough to be quick, small enough to stay off the heap. */
const pageSize = 500;

const columns = [
  'timestamp',
  'level',
  'action',
  'siteName',
  'clientIP',
  'method',
  'host',
  'path',
  'statusCode',
  'threat',
  'ruleId',
  'message',
  'requestId',
  'count',
  'userAgent',
] as const satisfies (keyof AuditEntry)[];

/**
 * A cell that a spreadsheet shows and does not run: text that would start a formula gets an apostrophe before it.
 * @see OWASP CSV Injection, RFC 4180
 */
export function csvCell(value: string | number | undefined): string {
  // Some take the full-width forms for the same, and what part of the cells semicolons, tabs and lines begin.
  const safe = String(value ?? '')
    .replace(/^(?=[=+\-@\t\r\n＝＋－＠])/, "'")
    .replace(/([;\s"']+)([=+\-@＝＋－＠])?/g, (all, lead: string, formula?: string) =>
      formula !== undefined && /[;\t\r\n]/.test(lead) ? `${lead}'${formula}` : all,
    );
  return `"${safe.replaceAll('"', '""')}"`;
}

const csvLine = (entry: AuditEntry) => `${columns.map((column) => csvCell(entry[column])).join(',')}\r\n`;

/** Media type of each format. */
export const exportTypes = {
  ndjson: 'application/x-ndjson; charset=utf-8',
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
} as const satisfies Record<EventExportQuery['format'], string>;

/** Entries as text; what separates them from those of another page is not in it. */
function textOf(entries: readonly AuditEntry[], format: EventExportQuery['format']): string {
  if (format === 'csv') return entries.map(csvLine).join('');
  if (format === 'ndjson') return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
  return entries.map((entry) => JSON.stringify(entry)).join(',\n');
}

/**
 * Every event that fits, newest first, as text. One page is in memory at a time.
 * @param turns of all exports: a page is made in one, and handed out after it, so that a slow reader keeps none
 */
export async function* exportText(
  options: Omit<SearchOptions, 'limit' | 'after' | 'timeLimitMs'>,
  format: EventExportQuery['format'],
  entryOf: (event: SecurityEvent) => AuditEntry,
  turns: PageTurns,
): AsyncGenerator<string> {
  if (format === 'csv') yield `${columns.join(',')}\r\n`;
  if (format === 'json') yield '[';
  let separator = '\n';
  let after: SearchOptions['after'];
  do {
    const { text, next } = await turns.take(async () => {
      const page = await searchEvents({ ...options, limit: pageSize, after });
      return { text: textOf(page.events.map(entryOf), format), next: page.next };
    });
    if (text !== '') {
      yield format === 'json' ? separator + text : text;
      separator = ',\n';
    }
    after = next;
  } while (after);
  if (format === 'json') yield '\n]\n';
}
