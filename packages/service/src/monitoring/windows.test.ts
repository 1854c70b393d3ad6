import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertEvents } from '../events/repository.ts';
import type { Trx } from '../storage/index.ts';
import { type TestStorage, testDialects } from '../storage/testing/index.ts';
import { counters, securityEvent } from '../testing/index.ts';
import { addCounters } from '../traffic/index.ts';
import { percentile } from './percentiles.ts';
import { readBreakdown, readLatency, type WindowParts } from './windows.ts';

const now = Date.UTC(2026, 4, 2, 10, 30, 30);
const minute = (ago: number) => Math.floor(now / 60_000) * 60_000 - ago * 60_000;
/** @param slow in the bucket of 100 to 200 ms; the rest took 1 to 2 ms */
function latency(fast: number, slow = 0): number[] {
  return Array.from({ length: 14 }, (_, index) => (index === 1 ? fast : index === 7 ? slow : 0));
}

describe('a percentile', () => {
  it.each([
    ['of nothing is unknown', [0, 0], 0.5, null],
    ['lies evenly within its bucket', [0, 10], 0.5, 1.5],
    ['counts the buckets below', [90, 10], 0.95, 1.5],
    ['of the open bucket is its lower bound', [...Array.from({ length: 13 }, () => 0), 5], 0.5, 10_000],
    ['of all is the upper bound of the last one', [4], 1, 1],
  ])('%s', (_, histogram, share, expected) => {
    expect(percentile(histogram, share)).toBe(expected);
  });
});

for (const dialect of testDialects()) {
  const title = `figures of a window on ${dialect.name}${dialect.missing ? ` (${dialect.missing})` : ''}`;
  describe.skipIf(dialect.missing !== undefined)(title, () => {
    let storage: TestStorage;
    let parts: WindowParts;
    const shop = { siteId: 'shop', blocked: 3, challenged: 1, bytesIn: 10, bytesOut: 100 };
    beforeAll(async () => {
      storage = await dialect.open();
      parts = { storage, now: () => now };
      await storage.transaction(fill);
    });
    afterAll(async () => {
      await storage.close();
      await dialect.stop();
    });

    async function fill(trx: Trx) {
      await addCounters(trx, [
        counters({
          ...shop,
          minute: minute(1),
          requests: 100,
          latency: latency(90, 10),
          statuses: [0, 90, 5, 3, 2],
        }),
        counters({ siteId: 'blog', minute: minute(1), requests: 100, latency: latency(100) }),
        counters({ minute: minute(120), requests: 7, latency: latency(7) }),
      ]);
      const attack = { siteId: 'shop', time: now - 60_000 };
      await insertEvents(
        trx,
        [
          securityEvent({ ...attack, path: '/login?a=1', clientIp: '203.0.113.1', count: 5 }),
          securityEvent({ ...attack, path: '/login?a=2', clientIp: '203.0.113.2' }),
          securityEvent({ ...attack, path: '/seen', decision: 'log' }),
          securityEvent({ siteId: 'shop', path: '/old', time: now - 7_200_000 }),
        ],
        dialect.name,
      );
    }

    it('gives percentiles over all and point by point, one site or all of them', async () => {
      const one = await readLatency(parts, { window: '1h', siteId: 'shop' });
      expect(one).toMatchObject({ requests: 100, step: 60, p50: 1.56, p95: 150, p99: 190 });
      expect(one.points).toHaveLength(60);
      expect(one.points.at(-2)).toMatchObject({ time: '2026-05-02T10:29:00.000Z', requests: 100, p99: 190 });
      expect(one.points.at(-1)).toMatchObject({ requests: 0, p50: null });
      const all = await readLatency(parts, { window: '1h' });
      expect(all).toMatchObject({ requests: 200, p50: 1.53, to: '2026-05-02T10:31:00.000Z' });
      expect(all.buckets.at(-1)).toEqual({ le: null, requests: 0 });
    });

    it('reads hours where the window is long', async () => {
      const day = await readLatency(parts, { window: '24h' });
      expect(day.requests).toBe(207);
      expect(day.points.map((point) => point.requests).filter((requests) => requests > 0)).toEqual([7, 200]);
    });

    it('tells what was answered, who attacked and where', async () => {
      const one = await readBreakdown(parts, { window: '15m', siteId: 'shop' });
      expect(one).toMatchObject({
        requests: 100,
        passed: 96,
        blocked: 3,
        challenged: 1,
        statuses: { '2xx': 90, '3xx': 5, '4xx': 3, '5xx': 2 },
        bytesOut: 100,
        sampled: 6,
        attackers: [
          { value: '203.0.113.1', count: 5 },
          { value: '203.0.113.2', count: 1 },
        ],
        targets: [{ value: '/login', count: 6 }],
        categories: [{ value: 'sql_injection', count: 6 }],
      });
      expect(one.points.at(-2)).toMatchObject({ requests: 100, statuses: { '5xx': 2 } });
    });
  });
}
