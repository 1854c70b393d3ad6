// Reads and writes one file, for a large one takes seconds that the service must not stand still.
import { parentPort, workerData } from 'node:worker_threads';
import { readDocument, withLines, writeDocument } from './yaml.ts';
import type { LargeReading, YamlTask } from './yaml-thread.ts';

/** Entries go as one text a list, for copying a million of them to the other thread would hold it up. */
function packed(text: string): LargeReading {
  const reading = readDocument(text);
  if (!reading.ok) return { reading, entries: [] };
  const lists = reading.document.address_lists;
  const entries = (lists ?? []).map((list) => list.entries.join('\n'));
  const bare = lists?.map((list) => ({ ...list, entries: [] }));
  const document = { ...reading.document, ...(bare && { address_lists: bare }) };
  return { reading: { ok: true, document }, entries };
}

function done(task: YamlTask): unknown {
  if (task.type === 'read') return packed(task.text);
  if (task.type === 'lines') return withLines(task.text, task.issues);
  const { document, entries, head } = task;
  const lists = document.address_lists?.map((list, index) => ({
    ...list,
    entries: Buffer.concat(entries[index] ?? [])
      .toString()
      .split('\n')
      .filter((line) => line !== ''),
  }));
  const text = writeDocument({ ...document, ...(lists && { address_lists: lists }) }, head);
  return new TextEncoder().encode(text);
}

const answer = done(workerData as YamlTask);
parentPort?.postMessage(answer, answer instanceof Uint8Array ? [answer.buffer as ArrayBuffer] : []);
