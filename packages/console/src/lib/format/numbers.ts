const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const twoDecimals = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

/** `12345` → `12,345` */
export const formatCount = (value: number): string => whole.format(value);

/** `12345` → `12.3K`, for axes and tight places */
export const formatCompact = (value: number): string => compact.format(value);

/** `1.5` → `1.50` */
export const formatRate = (value: number): string => twoDecimals.format(value);

/** @param digits decimals kept, two where spec.md says so */
export const formatPercent = (value: number, digits = 2): string => `${value.toFixed(digits)}%`;

/** Milliseconds as `4.2 ms`, `85 ms`, or from a second on `1.20 s`. */
export function formatMilliseconds(value: number): string {
  if (value >= 1000) return `${(value / 1000).toFixed(2)} s`;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
}

const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** Bytes in B, KB, MB, GB or TB, base 1024, to three digits: `1536` → `1.50 KB`, `81.3 MB`, `252 GB`. */
export function formatBytes(bytes: number): string {
  if (!Number.isFinite(bytes) || bytes <= 0) return '0 B';
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log(bytes) / Math.log(1024))));
  const value = bytes / 1024 ** power;
  const digits = power === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${units[power]}`;
}

/** Bytes as GB with one decimal and without unit, for `used/total` pairs. */
export const gigabytes = (bytes: number): string => (bytes / 1024 ** 3).toFixed(1);

/** Seconds as hours and minutes: `3h 5m`. */
export function formatUptime(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return `${formatCount(Math.floor(minutes / 60))}h ${minutes % 60}m`;
}
