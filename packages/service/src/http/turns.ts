import { setImmediate as nextTurn } from 'node:timers/promises';

/** Others wait for so long at most, milliseconds. */
export const stretchMs = 2;

/** The pieces as they come, with a turn of the event loop after each stretch of them. */
export async function* inTurns(pieces: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  let until = performance.now() + stretchMs;
  for await (const piece of pieces) {
    yield piece;
    if (performance.now() < until) continue;
    await nextTurn();
    until = performance.now() + stretchMs;
  }
}
