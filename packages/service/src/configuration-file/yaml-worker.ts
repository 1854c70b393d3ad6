// Reads and writes one file, for a large one takes seconds that the service must not stand still.
import { parentPort, workerData } from 'node:worker_threads';
import { readDocument, withLines, writeDocument } from './yaml.ts';
import type { LargeReading, YamlTask } from './yaml-thread.ts';

/** Entries go as one text a list, handed over: copying a million of them to the other thread would hold it up. */
function packed(text: string): LargeReading {
  const reading = readDocument(text);
  if (!reading.ok) return { reading, entries: [] };
  const lists = reading.document.address_lists;
  const entries = (lists ?? []).map((list) => new TextEncoder().encode(list.entries.join('\n')));
  const bare = lists?.map((list) => ({ ...list, entries: [] }));
  const document = { ...reading.document, ...(bare && { address_lists: bare }) };
  return { reading: { ok: true, document }, entries };
}

interface Done {
  readonly answer: unknown;
  readonly handedOver: ArrayBuffer[];
}

function done(task: YamlTask): Done {
  if (task.type === 'lines') return { answer: withLines(task.text, task.issues), handedOver: [] };
  if (task.type === 'read') {
    const answer = packed(task.text);
    return { answer, handedOver: answer.entries.map(({ buffer }) => buffer) };
  }
  const { document, entries, head } = task;
  const lists = document.address_lists?.map((list, index) => ({
    ...list,
    entries: Buffer.concat(entries[index] ?? [])
      .toString()
      .split('\n')
      .filter((line) => line !== ''),
  }));
  const text = writeDocument({ ...document, ...(lists && { address_lists: lists }) }, head);
  const answer = new TextEncoder().encode(text);
  return { answer, handedOver: [answer.buffer] };
}

const { answer, handedOver } = done(workerData as YamlTask);
parentPort?.postMessage(answer, handedOver);
