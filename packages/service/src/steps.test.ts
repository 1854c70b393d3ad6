import { expect, it } from 'vitest';
import { inSteps, type Steps } from './steps.ts';

function* busy(steps: number): Steps<void> {
  for (let step = 0; step < steps; step += 1) {
    const until = performance.now() + 0.5;
    while (performance.now() < until);
    yield;
  }
}

it('work that follows on other work in one turn shares its stretch with it', async () => {
  let worksInTurn = 0;
  let most = 0;
  for (let work = 0; work < 20; work += 1) {
    if (worksInTurn === 0) {
      setImmediate(() => {
        worksInTurn = 0;
      });
    }
    worksInTurn += 1;
    most = Math.max(most, worksInTurn);
    // Each alone is done before its stretch ends.
    await inSteps(busy(4));
  }
  expect(most).toBeLessThanOrEqual(4);
});
