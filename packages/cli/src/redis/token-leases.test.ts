import type { BucketCharge } from '@portcullis/contract/link';
import { describe, expect, it } from 'vitest';
import { canSpend, endAsking, spend, TokenLeases } from './token-leases.ts';

const charge = (changes: Partial<BucketCharge> = {}): BucketCharge => ({
  limit: 'site_1',
  client: '203.0.113.7',
  capacity: 100,
  window: 60,
  refillInterval: 1,
  last: true,
  ...changes,
});
const leases = () => new TokenLeases((limit, client) => `${limit} ${client}`);

/** Asks, and is given what was asked for. @returns tokens that were leased */
function lease(of: TokenLeases, asked: BucketCharge, now: number): number {
  const holding = of.of(asked, now);
  const asking = of.begin(holding, asked, now);
  if (asking === undefined) throw new Error('there were some left');
  endAsking(holding, { leased: asking.wanted, span: 0 });
  return asking.wanted;
}

/** @returns how many are spent until none is left */
function spendAll(of: TokenLeases, asked: BucketCharge, now: number): number {
  const holding = of.of(asked, now);
  let spent = 0;
  for (; canSpend(holding, now); spent += 1) spend(holding, asked, now);
  return spent;
}

describe('a lease', () => {
  it('of somebody unknown is what the bucket regains in a second, and nine at most', () => {
    const first = (changes: Partial<BucketCharge>) => lease(leases(), charge(changes), 5000);
    expect(first({ capacity: 100, window: 60 })).toBe(1);
    expect(first({ capacity: 300, window: 60 })).toBe(5);
    expect(first({ capacity: 100_000, window: 60 })).toBe(9);
    expect(first({ capacity: 100, window: 3600 })).toBe(0);
  });

  it('lets a client of ten requests under the usual limit ask twice', () => {
    const of = leases();
    let [asked, answered] = [0, 0];
    while (answered < 10) {
      lease(of, charge(), 5000 + answered);
      asked += 1;
      answered += 1 + spendAll(of, charge(), 5000 + answered);
    }
    expect(asked).toBe(2);
  });

  it('is brought back where it was not spent, however late', () => {
    const of = leases();
    const asked = charge({ capacity: 600 });
    expect(lease(of, asked, 5000)).toBe(9);
    const holding = of.of(asked, 60_000);
    spend(holding, asked, 5001);
    expect(of.begin(holding, asked, 60_000)).toMatchObject({ spent: 1, back: 8, wanted: 9 });
  });

  it('is remembered beside more clients than a second brings', () => {
    const of = leases();
    const asked = charge({ capacity: 600 });
    lease(of, asked, 5000);
    for (let other = 0; other < 20_000; other += 1) of.of(charge({ client: `${other}` }), 5000);
    expect(of.of(asked, 5000).left).toBe(9);
  });

  it('is given to nobody unknown while clients are forgotten before they could come back', () => {
    const of = leases();
    let others = 0;
    const flood = (now: number) => {
      for (let other = 0; other < 15_000; other += 1) of.of(charge({ client: `${others++}` }), now);
    };
    const firstAt = (now: number) => lease(of, charge({ client: `at ${now}`, capacity: 600 }), now);
    flood(5000);
    flood(10_000);
    expect(firstAt(10_000)).toBe(9);
    flood(11_000);
    expect(firstAt(11_000)).toBe(0);
    flood(20_000);
    flood(20_000);
    expect(firstAt(20_000)).toBe(9);
  });
});
