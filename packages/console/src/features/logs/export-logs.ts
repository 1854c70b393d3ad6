import type { AuditEntry } from '@portcullis/contract/events';

/** Downloads the buffered entries as a JSON file, newest first. */
export function exportLogs(entries: readonly AuditEntry[]): void {
  const blob = new Blob([JSON.stringify(entries, null, 2)], { type: 'application/json' });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = `portcullis-logs-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
}
