import { describe, expect, it } from 'vitest';
import { formatBytes, formatPercent, formatUptime } from './numbers.ts';
import { formatAge, formatAgeInWords, formatDate, formatDateTime, formatTime } from './times.ts';

const moment = new Date('2026-11-21T23:05:09.000Z');
const style = { timezone: 'UTC', dateFormat: 'MM/DD/YYYY', timeFormat: '12h' } as const;

describe('times as the user prefers them', () => {
  it('writes the three date formats', () => {
    expect(formatDate(moment, style)).toBe('11/21/2026');
    expect(formatDate(moment, { ...style, dateFormat: 'DD/MM/YYYY' })).toBe('21/11/2026');
    expect(formatDate(moment, { ...style, dateFormat: 'YYYY-MM-DD' })).toBe('2026-11-21');
  });

  it('writes 12 and 24 hours, midnight as 00 in the latter', () => {
    expect(formatTime(moment, style)).toBe('11:05:09 PM');
    expect(formatTime(moment, { ...style, timeFormat: '24h' })).toBe('23:05:09');
    const midnight = new Date('2026-11-21T00:00:00.000Z');
    expect(formatTime(midnight, { ...style, timeFormat: '24h' }, false)).toBe('00:00');
  });

  it('moves the day with the timezone', () => {
    expect(formatDateTime(moment, { ...style, timezone: 'Asia/Tokyo' })).toBe('11/22/2026 08:05:09 AM');
  });

  it('says ages in the words of each place', () => {
    const after = (minutes: number) => moment.getTime() + minutes * 60_000;
    expect([0, 5, 60, 60 * 24 * 3].map((m) => formatAge(moment, after(m)))).toEqual([
      'just now',
      '5m ago',
      '1h ago',
      '3d ago',
    ]);
    expect([0, 5, 60, 120, 60 * 24].map((m) => formatAgeInWords(moment, after(m)))).toEqual([
      'less than 1 min ago',
      '5 min ago',
      '1 hour ago',
      '2 hours ago',
      '1 day ago',
    ]);
  });
});

describe('figures', () => {
  it('writes bytes base 1024, up to terabytes', () => {
    expect([0, 512, 1536, 81.26 * 1024 ** 2, 252 * 1024 ** 3, 3 * 1024 ** 5].map(formatBytes)).toEqual([
      '0 B',
      '512 B',
      '1.50 KB',
      '81.3 MB',
      '252 GB',
      '3072 TB',
    ]);
  });

  it('writes percentages to two decimals and uptime in hours and minutes', () => {
    expect(formatPercent(3.456)).toBe('3.46%');
    expect(formatUptime(98_765)).toBe('27h 26m');
  });
});
