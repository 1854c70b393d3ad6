import { expect, test } from 'vitest';
import { type Awaited, settled, wait } from './patience.ts';

/** @returns an answer, and a promise of how long it was waited for, in milliseconds */
function answer(patienceMs: () => number | undefined) {
  const startedAt = performance.now();
  const { promise, resolve } = Promise.withResolvers<number>();
  const awaited: Awaited = {
    heardAt: startedAt,
    patienceMs,
    giveUp: () => resolve(performance.now() - startedAt),
  };
  const place = wait(awaited);
  return { promise: promise.finally(() => settled(place)), awaited };
}

test('an upstream that stays quiet is given up when its time is up, not before', async () => {
  const waited = await Promise.all([100, 300].map((patience) => answer(() => patience).promise));
  expect(waited[0]).toBeGreaterThanOrEqual(100);
  expect(waited[1]).toBeGreaterThanOrEqual(300);
});

test('time does not count while it is others that are slow', async () => {
  let asked = 0;
  const { promise } = answer(() => (++asked > 2 ? 100 : undefined));
  expect(await promise).toBeGreaterThanOrEqual(350);
});
