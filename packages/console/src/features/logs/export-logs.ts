import type { AuditEntry } from '@portcullis/contract/events';
import { saveFile, stamp } from '../../lib/save-file.ts';

/** Downloads the buffered entries as a JSON file, newest first. */
export function exportLogs(entries: readonly AuditEntry[]): void {
  saveFile(`portcullis-logs-${stamp(Date.now())}.json`, JSON.stringify(entries, null, 2), 'application/json');
}
