/** What the address of the logs says: filters, and the event that stands open. */
export interface LogsSearch {
  /** comma-separated levels, as the notification panel links here */
  level?: string;
  site?: string;
  q?: string;
}

/** Reads the filters of the logs from the address; anything odd is left out. */
export function logsSearch(search: Record<string, unknown>): LogsSearch {
  const read: LogsSearch = {};
  for (const key of ['level', 'site', 'q'] as const) {
    const value = search[key];
    if (typeof value === 'string' && value !== '') read[key] = value;
    else if (typeof value === 'number') read[key] = String(value);
  }
  return read;
}
