import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Steps } from '@portcullis/engine';

export { atOnce, type Steps } from '@portcullis/engine';

/** A request takes several turns of the event loop, and may have to wait for a stretch in each. */
const stretchMs = 1;

/** Does it in short stretches, with a turn of the event loop between them. Rejects with what a step throws. */
export async function betweenRequests<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const until = performance.now() + stretchMs;
    do {
      const step = steps.next();
      if (step.done) return step.value;
    } while (performance.now() < until);
    await nextTurn();
  }
}
