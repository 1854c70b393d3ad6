import { describe, expect, it } from 'vitest';
import { isQuiet } from './quiet-hours.ts';

const at = (utc: string) => Date.parse(`2026-01-15T${utc}:00Z`);
const night = { enabled: true, startHour: 22, endHour: 8 };

describe('quiet hours', () => {
  it.each([
    ['21:59', false],
    ['22:00', true],
    ['00:00', true],
    ['07:59', true],
    ['08:00', false],
  ])('over midnight at %s: %s', (time, quiet) => {
    expect(isQuiet(night, 'UTC', at(time))).toBe(quiet);
  });

  it('within a day, and none where both hours are equal', () => {
    const noon = { enabled: true, startHour: 12, endHour: 14 };
    expect(isQuiet(noon, 'UTC', at('13:00'))).toBe(true);
    expect(isQuiet(noon, 'UTC', at('14:00'))).toBe(false);
    expect(isQuiet({ enabled: true, startHour: 5, endHour: 5 }, 'UTC', at('05:30'))).toBe(false);
  });

  it('follow the timezone, with its summer time', () => {
    expect(isQuiet(night, 'America/New_York', at('04:00'))).toBe(true);
    expect(isQuiet(night, 'America/New_York', at('14:00'))).toBe(false);
    const july = Date.parse('2026-07-15T20:30:00Z');
    expect(isQuiet(night, 'Europe/Berlin', july)).toBe(true);
    expect(isQuiet(night, 'Europe/London', july)).toBe(false);
  });

  it('are none while they are turned off', () => {
    expect(isQuiet({ ...night, enabled: false }, 'UTC', at('23:00'))).toBe(false);
  });
});
