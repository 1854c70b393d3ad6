import { lookup } from 'node:dns';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { HealthPlan } from './checker.ts';
import { HealthWatch, healthKeyOf } from './watch.ts';

const soon = { timeout: 50_000, interval: 10 };
let upstream: Server;
let origin: string;
const ends: (() => void)[] = [];

beforeAll(async () => {
  upstream = createServer((_, response) => response.end('ok'));
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
});
afterEach(() => {
  for (const end of ends.splice(0)) end();
});
afterAll(() => upstream.close());

const plan = (siteId: string): HealthPlan => ({
  ...{ siteId, origin, host: undefined, path: '/', ca: '' },
  ...{ intervalMs: 3_600_000, timeoutMs: 50_000, verifyTls: true },
});
const plansOf = (count: number) =>
  new Map(Array.from({ length: count }, (_, at) => plan(`s${at}`)).map((one) => [healthKeyOf(one), one]));

function watch(sites: number) {
  const health = new HealthWatch({ lookup: lookup as LookupFunction, onChange: () => undefined });
  ends.push(() => health.stop());
  health.update(plansOf(sites));
  return health;
}

describe('what is told of upstreams', () => {
  test('is all of it where there are few', async () => {
    const health = watch(3);
    await vi.waitFor(() => {
      const { upstreams, upstreamsOf } = health.report();
      expect(upstreams.map(({ checksPassed }) => checksPassed)).toEqual([1, 1, 1]);
      expect(upstreamsOf).toBeUndefined();
    }, soon);
  });

  test('of many is what is new, and each of the others within ten reports', async () => {
    const health = watch(600);
    const told = new Set<string>();
    for (let turn = 0; turn < 10; turn += 1) {
      const { upstreams, upstreamsOf = [] } = health.report();
      expect(upstreams.length).toBeGreaterThanOrEqual(60);
      expect(upstreams.map(({ siteId }) => siteId)).toEqual(upstreamsOf);
      for (const siteId of upstreamsOf) told.add(siteId);
    }
    expect(told.size).toBe(600);
    // Checked among the first: a busy machine takes long to get through them all.
    await vi.waitFor(() => {
      const news = health.report().upstreams.filter(({ siteId }) => siteId === 's9');
      expect(news).toMatchObject([{ checksPassed: 1 }]);
    }, soon);
    const without = plansOf(600);
    without.delete(healthKeyOf(plan('s7')));
    health.update(without);
    const { upstreams, upstreamsOf } = health.report();
    expect(upstreamsOf).toContain('s7');
    expect(upstreams.map(({ siteId }) => siteId)).not.toContain('s7');
  });
});
