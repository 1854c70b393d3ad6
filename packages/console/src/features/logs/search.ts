/** What the address of the logs says: the filters of the stream and, with `view=history`, of what is stored. */
export interface LogsSearch {
  /** comma-separated levels, as the notification panel links here */
  level?: string;
  site?: string;
  q?: string;
  /** `history` searches what is stored, `admin` shows administrators' actions; absent is the live stream */
  view?: 'history' | 'admin';
  /** how far back; absent is a week */
  range?: HistoryRange;
  /** a stretch of time that was chosen in a chart, ISO 8601; instead of the range */
  from?: string;
  to?: string;
  /** comma-separated, as the events' `action` has them: `blocked,challenged` */
  action?: string;
  /** comma-separated decisions that a site which is only watched did not carry out: `block,challenge` */
  would?: string;
  category?: string;
  ip?: string;
  /** starts so */
  path?: string;
  rule?: string;
  /** class of the answer's status: `5xx` */
  status?: string;
}

const hourMs = 3_600_000;

/** How far back each range reaches, in milliseconds; undefined for all that is kept. */
export const ranges = {
  hour: hourMs,
  day: 24 * hourMs,
  week: 168 * hourMs,
  month: 720 * hourMs,
  all: undefined,
} as const;
export type HistoryRange = keyof typeof ranges;

/** Filters that only what is stored can be searched by, and that no field shows. */
export const chipKeys = ['from', 'to', 'category', 'ip', 'path', 'rule', 'status'] as const;
export type ChipKey = (typeof chipKeys)[number];

/** Reads the filters of the logs from the address; anything odd is left out. */
export function logsSearch(search: Record<string, unknown>): LogsSearch {
  const read: LogsSearch = {};
  for (const key of ['level', 'site', 'q', 'action', 'would', ...chipKeys] as const) {
    const value = search[key];
    if (typeof value === 'string' && value !== '') read[key] = value;
    else if (typeof value === 'number') read[key] = String(value);
  }
  for (const key of ['from', 'to'] as const) {
    const moment = Date.parse(read[key] ?? '');
    if (Number.isNaN(moment)) delete read[key];
    else read[key] = new Date(moment).toISOString();
  }
  const { view, range } = search;
  if (view === 'history' || view === 'admin') read.view = view;
  if (typeof range === 'string' && Object.hasOwn(ranges, range)) read.range = range as HistoryRange;
  return read;
}

/** The filters that hold in every view: those of history alone are left out. */
export function commonSearch({ level, site, q }: LogsSearch): LogsSearch {
  return { ...(level && { level }), ...(site && { site }), ...(q && { q }) };
}
