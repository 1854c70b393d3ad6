import { Worker } from 'node:worker_threads';
import { zstdDecompressSync } from 'node:zlib';
import type { Piece, ReadHead, TextEnd } from './large-json-thread.ts';

/** Parsing this much takes about 2 ms; what is larger is read in a thread. */
const largeBytes = 256 * 1024;

/** A JSON text on its way in. */
export interface IncomingJson {
  /** @param bytes UTF-8, what follows of it */
  add(bytes: Buffer): void;
  /** @returns its value; undefined where it is no JSON */
  end(): Promise<unknown>;
  /** For one that never ends. */
  drop(): void;
}

/**
 * Reads one JSON text after the other without holding requests up: a snapshot of ten thousand sites is 27 MB of it. A
 * large one goes to a thread as it comes; the long arrays of a snapshot come back a few elements at a time, for copying
 * them in one would hold requests up as well. Elements that the large text before had too are the same objects, so that
 * who has looked at one need not look again: nobody may change them.
 */
export interface JsonReader {
  begin(): IncomingJson;
  /** @returns the value of a whole text that zstd packed; undefined where it is none or unpacks to more than `maxBytes` */
  unpack(packed: Buffer, maxBytes: number): Promise<unknown>;
}

/** Objects of the last large text, and what each is known by. */
interface Known {
  readonly objects: unknown[];
  readonly digests: string[];
}

export function createJsonReader(): JsonReader {
  let known: Known = { objects: [], digests: [] };
  const finish = async (thread: Thread, unpackTo: number | undefined) => {
    const now: Known = { objects: [], digests: [] };
    try {
      const value = await assembled(thread, { unpackTo, known: known.digests }, known, now);
      if (value !== undefined) known = now;
      return value;
    } finally {
      await thread.stop();
    }
  };
  return {
    begin() {
      let held: Buffer[] = [];
      let size = 0;
      let thread: Thread | undefined;
      return {
        add(bytes) {
          size += bytes.length;
          held.push(bytes);
          if (size < largeBytes) return;
          thread ??= startThread();
          for (const piece of held) thread.give(piece);
          held = [];
        },
        end: async () => (thread ? finish(thread, undefined) : parsed(Buffer.concat(held))),
        drop: () => void thread?.stop(),
      };
    },
    async unpack(packed, maxBytes) {
      const small = packed.length < largeBytes ? unpacked(packed) : undefined;
      if (small) return parsed(small);
      const thread = startThread();
      thread.give(packed);
      return finish(thread, maxBytes);
    },
  };
}

interface Thread {
  give(bytes: Buffer): void;
  /** @returns its next message. Rejects where it ends instead */
  ask<T>(what: TextEnd | 'next'): Promise<T>;
  stop(): Promise<unknown>;
}

function startThread(): Thread {
  const worker = new Worker(new URL('./large-json-thread.ts', import.meta.url));
  const failed = new Promise<never>((_, reject) => worker.once('error', reject));
  failed.catch(() => undefined);
  return {
    give(bytes) {
      // A view would take all of the memory behind it along.
      const own = Uint8Array.from(bytes);
      worker.postMessage(own, [own.buffer]);
    },
    ask<T>(what: TextEnd | 'next') {
      const { promise, resolve } = Promise.withResolvers<T>();
      worker.once('message', resolve);
      worker.postMessage(what);
      return Promise.race([promise, failed]);
    },
    stop: () => worker.terminate(),
  };
}

function parsed(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** @returns undefined where it is large, or not packed by zstd */
function unpacked(packed: Buffer): Buffer | undefined {
  try {
    return zstdDecompressSync(packed, { maxOutputLength: largeBytes });
  } catch {
    return undefined;
  }
}

/** @param now is filled with the objects of this text */
async function assembled(thread: Thread, end: TextEnd, before: Known, now: Known): Promise<unknown> {
  const head = await thread.ask<ReadHead>(end);
  if (head.text === undefined) return undefined;
  const value: unknown = JSON.parse(head.text);
  const arrays = head.paths.map((path) => arrayAt(value, path));
  for (;;) {
    const { array, elements, digests } = await thread.ask<Piece>('next');
    if (array === undefined) return value;
    const found =
      elements instanceof Uint32Array ? Array.from(elements, (place) => before.objects[place]) : elements;
    arrays[array]?.push(...found);
    if (digests.length === 0) continue;
    now.objects.push(...found);
    now.digests.push(...digests);
  }
}

function arrayAt(value: unknown, path: readonly (string | number)[]): unknown[] {
  let found = value;
  for (const step of path) found = (found as Record<string | number, unknown>)[step];
  return found as unknown[];
}
