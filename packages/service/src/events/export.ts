import type { AuditEntry, EventExportQuery, SecurityEvent } from '@portcullis/contract/events';
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
  const text = String(value ?? '');
  // Some take the full-width forms for the same.
  const safe = /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

const csvLine = (entry: AuditEntry) => `${columns.map((column) => csvCell(entry[column])).join(',')}\r\n`;

/** Media type of each format. */
export const exportTypes = {
  ndjson: 'application/x-ndjson; charset=utf-8',
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
} as const satisfies Record<EventExportQuery['format'], string>;

/** Every event that fits, newest first, as text. One page is in memory at a time. */
export async function* exportText(
  options: Omit<SearchOptions, 'limit' | 'after' | 'timeLimitMs'>,
  format: EventExportQuery['format'],
  entryOf: (event: SecurityEvent) => AuditEntry,
): AsyncGenerator<string> {
  if (format === 'csv') yield `${columns.join(',')}\r\n`;
  if (format === 'json') yield '[';
  let separator = '\n';
  let after: SearchOptions['after'];
  do {
    const page = await searchEvents({ ...options, limit: pageSize, after });
    const entries = page.events.map(entryOf);
    if (format === 'csv') yield entries.map(csvLine).join('');
    else if (format === 'ndjson') yield entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
    else if (entries.length > 0) {
      yield separator + entries.map((entry) => JSON.stringify(entry)).join(',\n');
      separator = ',\n';
    }
    after = page.next;
  } while (after);
  if (format === 'json') yield '\n]\n';
}
