import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConcurrencyGate, isAssetAnswer, isStaticAsset, TokenBuckets } from './index.ts';

const standard = { capacity: 100, window: 60, refillInterval: 1 };

describe('a bucket', () => {
  it('gives its capacity at once, then as many as the window regains', () => {
    const buckets = new TokenBuckets(standard);
    const taken = (now: number) => {
      let count = 0;
      while (buckets.take('a', now).allowed) count++;
      return count;
    };
    expect(taken(0)).toBe(100);
    expect(taken(999)).toBe(0);
    expect(taken(1000)).toBe(1);
    expect(taken(2000)).toBe(2);
    expect(taken(62_000)).toBe(100);
    expect(taken(3_600_000)).toBe(100);
  });

  it('credits only at each interval', () => {
    const buckets = new TokenBuckets({ capacity: 10, window: 10, refillInterval: 5 });
    for (let token = 0; token < 10; token++) buckets.take('a', 0);
    expect(buckets.take('a', 4999)).toMatchObject({ allowed: false, retryAfterSeconds: 1 });
    expect(buckets.take('a', 5000)).toMatchObject({ allowed: true, remaining: 4 });
  });

  it('says when a token and when all will be there', () => {
    const buckets = new TokenBuckets(standard);
    expect(buckets.take('a', 0)).toEqual({
      allowed: true,
      remaining: 99,
      resetSeconds: 1,
      retryAfterSeconds: 0,
    });
    for (let token = 1; token < 100; token++) buckets.take('a', 0);
    expect(buckets.take('a', 0)).toEqual({
      allowed: false,
      remaining: 0,
      resetSeconds: 60,
      retryAfterSeconds: 1,
    });
    const slow = new TokenBuckets({ capacity: 1, window: 3600, refillInterval: 60 });
    slow.take('a', 0);
    expect(slow.take('a', 60_000)).toMatchObject({ allowed: false, retryAfterSeconds: 3540 });
  });

  it('keeps its word: who waits as told gets a token', () => {
    const policy = fc.record({
      capacity: fc.integer({ min: 1, max: 500 }),
      window: fc.integer({ min: 1, max: 7200 }),
      refillInterval: fc.integer({ min: 1, max: 600 }),
    });
    fc.assert(
      fc.property(
        policy,
        fc.array(fc.integer({ min: 0, max: 5000 }), { maxLength: 30 }),
        (chosen, pauses) => {
          const buckets = new TokenBuckets(chosen);
          let now = 0;
          for (const pause of pauses) {
            now += pause;
            let verdict = buckets.take('a', now);
            while (verdict.allowed) verdict = buckets.take('a', now);
            now += verdict.retryAfterSeconds * 1000;
            expect(buckets.take('a', now).allowed).toBe(true);
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it('never gives more than the capacity and what time regained', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 700 }), { minLength: 100, maxLength: 400 }),
        (pauses) => {
          const buckets = new TokenBuckets({ capacity: 20, window: 10, refillInterval: 2 });
          let now = 0;
          let given = 0;
          for (const pause of pauses) {
            now += pause;
            if (buckets.take('a', now).allowed) given++;
          }
          expect(given).toBeLessThanOrEqual(20 + Math.floor(now / 2000) * 4);
        },
      ),
    );
  });

  it('belongs to one client, and forgets the quietest beyond the cap', () => {
    const buckets = new TokenBuckets({ capacity: 1, window: 3600, refillInterval: 1 }, 3);
    for (const client of ['a', 'b', 'c', 'a']) buckets.take(client, 0);
    expect(buckets.take('d', 0).allowed).toBe(true);
    expect(buckets.size).toBe(3);
    expect(buckets.take('a', 0).allowed).toBe(false);
    expect(buckets.take('b', 0).allowed).toBe(true);
  });
});

describe('a static file', () => {
  it.each([
    ['GET', '/app.js', true],
    ['HEAD', '/img/logo.PNG?v=3', true],
    ['GET', '/font.woff2', true],
    ['POST', '/app.js', false],
    ['GET', '/', false],
    ['GET', '/search?q=a.png', false],
    ['GET', '/api.v2/users', false],
    ['GET', '/download.php', false],
    ['GET', '/page.html', false],
    ['GET', '/index.php/a.css', false],
  ])('%s %s: %s', (method, target, expected) => {
    expect(isStaticAsset(method, target)).toBe(expected);
  });
});

describe('an answer', () => {
  it.each([
    [200, 'text/css; charset=utf-8', '/a.css', true],
    [200, 'image/svg+xml', '/a.svg', true],
    [206, 'video/mp4', '/a.mp4', true],
    [200, 'application/javascript', '/a.js', true],
    [200, 'application/json', '/a.js.map?1', true],
    [304, undefined, '/a.css', true],
    [200, 'application/json', '/api/a.css', false],
    [404, 'text/html', '/a.css', false],
    [200, undefined, '/a.css', false],
  ])('%s of type %s to %s is a static file: %s', (status, type, target, expected) => {
    expect(isAssetAnswer(status, type, target)).toBe(expected);
  });
});

describe('requests at once', () => {
  it('are bounded for each client and leave nothing behind', () => {
    const gate = new ConcurrencyGate();
    expect([1, 2, 3].map(() => gate.enter('a', 2))).toEqual([true, true, false]);
    expect(gate.enter('b', 2)).toBe(true);
    gate.leave('a');
    expect(gate.enter('a', 2)).toBe(true);
    for (const client of ['a', 'a', 'b']) gate.leave(client);
    expect(gate.clients).toBe(0);
    expect(gate.enter('c', 0)).toBe(true);
  });
  it('remember a bounded number of who has none', () => {
    const gate = new ConcurrencyGate();
    gate.enter('steady', 0);
    for (let client = 0; client < 20_000; client++) {
      gate.enter(String(client), 0);
      gate.leave(String(client));
    }
    expect(gate.clients).toBe(1);
    expect(gate.size).toBeLessThan(2000);
    expect(gate.enter('steady', 1)).toBe(false);
  });
});
