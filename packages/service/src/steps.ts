import { setImmediate as nextTurn } from 'node:timers/promises';

/** Work that can be left in the middle: each `yield` is a place to do so, at most a millisecond after the last. */
export type Steps<T> = Generator<undefined, T>;

/** Calls wait for so long at most for one piece of work; a turn of the loop costs far less. */
const stretchMs = 5;

/** Does it in stretches with a turn of the event loop between them. Rejects with what a step throws. */
export async function inSteps<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const until = performance.now() + stretchMs;
    do {
      const step = steps.next();
      if (step.done) return step.value;
    } while (performance.now() < until);
    await nextTurn();
  }
}

/** Entries of a long list that are dealt with in one step. */
export const entriesAtOnce = 2000;

/** Lines as UTF-8, each ended, in pieces that can be handed to another thread without a copy. */
export function* bytesOfLines(lines: readonly string[]): Steps<Uint8Array<ArrayBuffer>[]> {
  const encoder = new TextEncoder();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for (let from = 0; from < lines.length; from += entriesAtOnce) {
    pieces.push(encoder.encode(`${lines.slice(from, from + entriesAtOnce).join('\n')}\n`));
    yield;
  }
  return pieces;
}

/** The lines of a text, without what follows the last line's end. */
export function* linesOfText(text: string): Steps<string[]> {
  const lines: string[] = [];
  for (let from = 0; from < text.length; ) {
    // A line's end is near: what is cut here is written by us, one entry a line.
    const end = text.indexOf('\n', from + 32 * entriesAtOnce);
    const until = end === -1 ? text.length : end + 1;
    for (const line of text.slice(from, until).split('\n')) if (line !== '') lines.push(line);
    from = until;
    yield;
  }
  return lines;
}
