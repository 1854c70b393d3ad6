import { setImmediate as nextTurn } from 'node:timers/promises';

/** Work in small steps: where it yields, requests may go first. */
export type Steps<T> = Generator<void, T>;

/** A request takes several turns of the event loop, and may have to wait for a stretch in each. */
const stretchMs = 1;

/** Does all of it now. Throws what a step throws. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

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
