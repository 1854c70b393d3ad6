import { describe, expect, it } from 'vitest';
import { hourPoints } from './traffic-span.ts';

const now = Date.UTC(2026, 10, 22, 9, 30);
const hour = (time: string, requests = 1) => ({ time, requests, blocked: 0 });

describe('the hours of the traffic', () => {
  it('stand where their times say, and one whose time says nothing is left out', () => {
    const points = hourPoints([hour('2026-11-22T08:00:00.000Z', 5), hour('later')], now);
    expect(points).toEqual([{ time: Date.UTC(2026, 10, 22, 8), requests: 5, blocked: 0 }]);
  });

  it('are the last ones in their order where a server writes no moments', () => {
    for (const times of [
      ['08:00', '09:00'],
      ['8', '9'],
    ]) {
      const points = hourPoints(
        times.map((time) => hour(time)),
        now,
      );
      expect(points.map(({ time, label }) => [time, label])).toEqual([
        [Date.UTC(2026, 10, 22, 8), times[0]],
        [Date.UTC(2026, 10, 22, 9), times[1]],
      ]);
    }
    expect(hourPoints([], now)).toEqual([]);
  });
});
