import { Worker } from 'node:worker_threads';
import type { Piece, ReadHead } from './large-json-thread.ts';

/** Parsing this much takes about 2 ms; what is larger is read in a thread. */
const largeBytes = 256 * 1024;

/**
 * Parses JSON without holding requests up: a snapshot of ten thousand sites is 27 MB of it. The long arrays of a
 * snapshot come over from the thread a few elements at a time, for copying them in one would hold them up as well.
 * @param bytes UTF-8; where they are many they are given away, and must be nobody else's
 * @returns undefined where it is no JSON
 */
export async function readJson(bytes: Buffer): Promise<unknown> {
  if (bytes.length < largeBytes) {
    try {
      return JSON.parse(bytes.toString('utf8'));
    } catch {
      return undefined;
    }
  }
  const thread = new Worker(new URL('./large-json-thread.ts', import.meta.url));
  try {
    const own = bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength;
    const head = await asked<ReadHead>(thread, () => thread.postMessage(bytes, own ? [bytes.buffer] : []));
    if (head.text === undefined) return undefined;
    const value: unknown = JSON.parse(head.text);
    const arrays = head.paths.map((path) => arrayAt(value, path));
    for (;;) {
      const { array, elements } = await asked<Piece>(thread, () => thread.postMessage('next'));
      if (array === undefined) return value;
      arrays[array]?.push(...elements);
    }
  } finally {
    await thread.terminate();
  }
}

/** @returns the thread's next message. Rejects where it ends instead */
function asked<T>(thread: Worker, ask: () => void): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  thread.once('message', resolve);
  thread.once('error', reject);
  ask();
  return promise.finally(() => thread.off('message', resolve).off('error', reject));
}

function arrayAt(value: unknown, path: readonly (string | number)[]): unknown[] {
  let found = value;
  for (const step of path) found = (found as Record<string | number, unknown>)[step];
  return found as unknown[];
}
