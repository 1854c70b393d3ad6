import { setImmediate as nextTurn } from 'node:timers/promises';

/** Work that can be left in the middle: each `yield` is a place to do so, at most a millisecond after the last. */
export type Steps<T> = Generator<undefined, T>;

/** Calls wait for so long at most for the work of one turn; a turn of the loop costs far less. */
const stretchMs = 5;

let stretchEnd: number | undefined;

/** When the work of this turn ends: pieces of work that follow one another without a turn between share one stretch. */
function endOfStretch(): number {
  if (stretchEnd !== undefined) return stretchEnd;
  stretchEnd = performance.now() + stretchMs;
  setImmediate(() => {
    stretchEnd = undefined;
  });
  return stretchEnd;
}

/** Does it in stretches with a turn of the event loop between them. Rejects with what a step throws. */
export async function inSteps<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const until = endOfStretch();
    do {
      const step = steps.next();
      if (step.done) return step.value;
    } while (performance.now() < until);
    await nextTurn();
  }
}

/** Entries of a long list that are dealt with in one step. */
export const entriesAtOnce = 2000;
/**
 * Puts entries into a list from a place on. The list has its length from the beginning: one that grows to a million is
 * copied again and again, megabytes at a time.
 */
export function* fill(list: string[], from: number, entries: readonly string[]): Steps<void> {
  for (let at = 0; at < entries.length; at += 1) {
    list[from + at] = entries[at] ?? '';
    if ((from + at) % entriesAtOnce === 0) yield;
  }
}

/** @returns lists one after the other as one. @param length of all together */
export function* joined(lists: Iterable<readonly string[]>, length: number): Steps<string[]> {
  const list = new Array<string>(length);
  let at = 0;
  for (const one of lists) {
    yield* fill(list, at, one);
    at += one.length;
  }
  return list;
}

/** The same of a text. */
const bytesAtOnce = 32 * entriesAtOnce;

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

/** The lines of a text in UTF-8, without empty ones. */
export function* linesOfBytes(bytes: Uint8Array): Steps<string[]> {
  const decoder = new TextDecoder();
  const lines: string[] = [];
  let rest = '';
  for (let from = 0; from < bytes.length; from += bytesAtOnce) {
    const more = (rest + decoder.decode(bytes.subarray(from, from + bytesAtOnce), { stream: true })).split(
      '\n',
    );
    rest = more.pop() ?? '';
    for (const line of more) if (line !== '') lines.push(line);
    yield;
  }
  if (rest !== '') lines.push(rest);
  return lines;
}
