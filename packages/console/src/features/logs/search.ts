/** What the address of the logs says: filters, and the event that stands open. */
export interface LogsSearch {
  /** comma-separated levels, as the notification panel links here */
  level?: string;
  site?: string;
  q?: string;
  /** `history` searches what is stored; absent is the live stream */
  view?: 'history';
}

/** Reads the filters of the logs from the address; anything odd is left out. */
export function logsSearch(search: Record<string, unknown>): LogsSearch {
  const read: LogsSearch = {};
  for (const key of ['level', 'site', 'q'] as const) {
    const value = search[key];
    if (typeof value === 'string' && value !== '') read[key] = value;
    else if (typeof value === 'number') read[key] = String(value);
  }
  if (search['view'] === 'history') read.view = 'history';
  return read;
}
