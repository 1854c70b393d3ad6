import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Issue } from '@portcullis/contract/api';
import type { ConfigurationDocument } from '@portcullis/contract/configuration';
import { type Reading, readDocument, withLines, writeDocument } from './yaml.ts';

/** What a thread of its own does with a file. */
export type YamlTask =
  | { readonly type: 'read'; readonly text: string }
  | { readonly type: 'lines'; readonly text: string; readonly issues: readonly Issue[] }
  | { readonly type: 'write'; readonly document: ConfigurationDocument; readonly head: string };

/** Characters that are done within some 20 ms, less than a thread takes to start. */
const smallCharacters = 16_384;

async function run(task: YamlTask): Promise<unknown> {
  const worker = new Worker(new URL('./yaml-worker.ts', import.meta.url), { workerData: task });
  try {
    const [answer] = await once(worker, 'message');
    return answer;
  } finally {
    await worker.terminate();
  }
}

/** As `readDocument`; a large file is read beside the main thread. */
export async function readBeside(text: string): Promise<Reading> {
  if (text.length <= smallCharacters) return readDocument(text);
  return (await run({ type: 'read', text })) as Reading;
}

/** As `withLines`; in a large file beside the main thread. */
export async function linesBeside(text: string, issues: readonly Issue[]): Promise<Issue[]> {
  if (text.length <= smallCharacters) return withLines(text, issues);
  return (await run({ type: 'lines', text, issues })) as Issue[];
}

/** As `writeDocument`; a large one beside the main thread. */
export async function writeBeside(document: ConfigurationDocument, head: string): Promise<string> {
  if (JSON.stringify(document).length <= smallCharacters) return writeDocument(document, head);
  return (await run({ type: 'write', document, head })) as string;
}
