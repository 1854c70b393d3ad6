// Reads and writes one file, for a large one takes seconds that the service must not stand still.
import { parentPort, workerData } from 'node:worker_threads';
import { readDocument, withLines, writeDocument } from './yaml.ts';
import type { YamlTask } from './yaml-thread.ts';

function done(task: YamlTask): unknown {
  if (task.type === 'read') return readDocument(task.text);
  if (task.type === 'lines') return withLines(task.text, task.issues);
  return writeDocument(task.document, task.head);
}

parentPort?.postMessage(done(workerData as YamlTask));
