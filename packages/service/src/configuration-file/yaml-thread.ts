import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Issue } from '@portcullis/contract/api';
import type { ConfigurationDocument } from '@portcullis/contract/configuration';
import { bytesOfLines, inSteps, linesOfBytes } from '../steps.ts';
import { type Reading, readDocument, withLines, writeDocument } from './yaml.ts';

/** What a thread of its own does with a file. */
export type YamlTask =
  | { readonly type: 'read'; readonly text: string }
  | { readonly type: 'lines'; readonly text: string; readonly issues: readonly Issue[] }
  | {
      readonly type: 'write';
      /** its lists of addresses are without their entries */
      readonly document: ConfigurationDocument;
      /** those of each list, one a line; UTF-8 in pieces, which are handed over */
      readonly entries: readonly (readonly Uint8Array<ArrayBuffer>[])[];
      readonly head: string;
    };

/** A large file as its thread read it. */
export interface LargeReading {
  /** its lists of addresses are without their entries */
  readonly reading: Reading;
  /** those of each list, one a line; UTF-8, which is handed over */
  readonly entries: readonly Uint8Array<ArrayBuffer>[];
}

async function unpacked({ reading, entries }: LargeReading): Promise<Reading> {
  if (!reading.ok || !reading.document.address_lists) return reading;
  const lists: NonNullable<ConfigurationDocument['address_lists']> = [];
  for (const [index, list] of reading.document.address_lists.entries()) {
    lists.push({ ...list, entries: await inSteps(linesOfBytes(entries[index] ?? new Uint8Array())) });
  }
  return { ok: true, document: { ...reading.document, address_lists: lists } };
}

/** Characters that are done within some 20 ms, less than a thread takes to start. */
const smallCharacters = 16_384;

/** What a thread may take: of small values a reader of YAML makes a hundred times the text. */
const bounds = { memoryMb: 1024, timeMs: 60_000 };

async function run(task: YamlTask): Promise<unknown> {
  const handedOver = task.type === 'write' ? task.entries.flat().map(({ buffer }) => buffer) : [];
  const worker = new Worker(new URL('./yaml-worker.ts', import.meta.url), {
    workerData: task,
    transferList: handedOver,
    resourceLimits: { maxOldGenerationSizeMb: bounds.memoryMb },
  });
  try {
    const [answer] = await once(worker, 'message', { signal: AbortSignal.timeout(bounds.timeMs) });
    return answer;
  } finally {
    await worker.terminate();
  }
}

const isBeyondBounds = (error: unknown) =>
  error instanceof Error &&
  (error.name === 'AbortError' || ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'));

const tooMuch =
  'The file has more values than can be read here. Write long lists of addresses as one text, `entries: |`, or import it with `portcullis import`';

/** As `readDocument`; a large file is read beside the main thread, and not at any cost. */
export async function readBeside(text: string): Promise<Reading> {
  if (text.length <= smallCharacters) return readDocument(text);
  try {
    return await unpacked((await run({ type: 'read', text })) as LargeReading);
  } catch (error) {
    if (!isBeyondBounds(error)) throw error;
    return { ok: false, issues: [{ path: '', message: tooMuch }] };
  }
}

/** As `withLines`; in a large file beside the main thread. */
export async function linesBeside(text: string, issues: readonly Issue[]): Promise<Issue[]> {
  if (text.length <= smallCharacters) return withLines(text, issues);
  return (await run({ type: 'lines', text, issues })) as Issue[];
}

/** As `writeDocument`, in UTF-8; a large one beside the main thread. */
export async function writeBeside(document: ConfigurationDocument, head: string): Promise<Uint8Array> {
  const lists = document.address_lists ?? [];
  const addresses = lists.reduce((sum, list) => sum + list.entries.length, 0);
  const bare = { ...document, address_lists: lists.map((list) => ({ ...list, entries: [] })) };
  const fewCharacters = addresses < 1000 && JSON.stringify(bare).length <= smallCharacters;
  if (fewCharacters) return new TextEncoder().encode(writeDocument(document, head));
  const entries: Uint8Array<ArrayBuffer>[][] = [];
  for (const list of lists) entries.push(await inSteps(bytesOfLines(list.entries)));
  return (await run({ type: 'write', document: bare, entries, head })) as Uint8Array;
}
