// Makes calls of a service beside its thread, so that a large body costs that thread only what the service does.
import { parentPort } from 'node:worker_threads';

/** One call: `entries` of addresses from a start on are made here, for a million of them are no message to send. */
export interface AskedCall {
  readonly url: string;
  readonly method: string;
  readonly token: string;
  readonly type: string;
  readonly head: string;
  readonly indent: string;
  readonly entries: number;
  /** every so many-th entry is another one */
  readonly changeEvery: number;
}

function bodyOf({ head, indent, entries, changeEvery }: AskedCall): string {
  const lines = Array.from({ length: entries }, (_, n) => {
    const first = changeEvery > 0 && n % changeEvery === 0 ? 11 : 10;
    return `${indent}${first}.${n >> 16}.${(n >> 8) & 255}.${n & 255}\n`;
  });
  return head + lines.join('');
}

async function ask(call: AskedCall): Promise<void> {
  const { url, method, token, type } = call;
  const answer = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(type !== '' && { 'content-type': type }) },
    ...(type !== '' && { body: bodyOf(call) }),
  });
  const text = await answer.text();
  parentPort?.postMessage({ status: answer.status, text: text.slice(0, 300) });
}

// A call that fails ends the thread, and with it the benchmark.
parentPort?.on('message', (call: AskedCall) => void ask(call));
