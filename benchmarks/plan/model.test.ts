import { describe, expect, it } from 'vitest';
import { type Demand, type Figures, type Layout, saturation, simulate, useOf } from './model.ts';

const figures: Figures = {
  gatewayRequest: 200,
  gatewayLimit: 20,
  redisLimit: 10,
  redisEvent: 10,
  serviceEvent: 100,
  postgresEvent: 200,
  redisMessage: 20,
  serviceMessage: 100,
  postgresCounter: 50,
  eventBytes: 1000,
};
const demand: Demand = {
  requestsPerSecond: 10_000,
  gateways: 10,
  eventShare: 0.1,
  limitedShare: 0.5,
  sitesPerBatch: 5,
};
const one: Layout = {
  coresPerGateway: 1,
  limitServers: 1,
  streams: 1,
  services: 1,
  coresPerService: 1,
  databases: 1,
  coresPerDatabase: 1,
};

describe('the plan for many machines', () => {
  it('says how busy each part is', () => {
    const use = Object.fromEntries(useOf(figures, demand, one).map(({ part, use }) => [part, use]));
    expect(use).toEqual({
      gateways: expect.closeTo(0.21, 6),
      'Redis, buckets': expect.closeTo(0.05, 6),
      'Redis, streams': expect.closeTo(0.011, 6),
      services: expect.closeTo(0.105, 6),
      PostgreSQL: expect.closeTo(0.21, 6),
    });
  });

  it('finds the load at which a part is full, and twice of it where there are two', () => {
    const full = (layout: Layout, part: string) =>
      saturation(figures, demand, layout).find((found) => found.part === part)?.requestsPerSecond ?? 0;
    // One core a second less what counters take, at 200 µs an event of every tenth request.
    expect(full(one, 'PostgreSQL')).toBe(49_500);
    expect(full({ ...one, limitServers: 2 }, 'Redis, buckets')).toBe(2 * full(one, 'Redis, buckets'));
  });

  it('lets nothing get lost: what came is stored or counted as dropped', () => {
    const mild = simulate(figures, demand, one, { eventShare: 0.6, seconds: 60 });
    expect(mild).toMatchObject({ dropped: 0, stored: expect.closeTo(mild.sent, 3) });
    expect(mild.secondsBehind).toBeGreaterThan(0);
    const flood = simulate(figures, demand, one, { eventShare: 1, seconds: 3600 });
    expect(flood.dropped).toBeGreaterThan(0);
    expect(flood.stored + flood.dropped).toBeCloseTo(flood.sent, 0);
    expect(flood.mostOnDisks).toBeCloseTo(10 * 64 * 1024 * 1024, 0);
  });

  it('says so where the usual is more than a part can take', () => {
    const course = simulate(figures, { ...demand, eventShare: 0.9 }, one, { eventShare: 1, seconds: 10 });
    expect(course.secondsBehind).toBe(Number.POSITIVE_INFINITY);
  });
});
