import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { startService } from '../packages/service/src/testing/index.ts';
import type { BenchmarkResult } from './run.ts';
import type { AskedCall } from './storage/asking-thread.ts';
import { watchStalls } from './storage/stalls.ts';

const million = 1_000_000;

type Row = BenchmarkResult['rows'][number];

async function measure(entries: number): Promise<Row[]> {
  const service = await startService();
  const asking = new Worker(new URL('./storage/asking-thread.ts', import.meta.url));
  try {
    const token = await service.signIn();
    const ask = async (name: string, call: Partial<AskedCall> & { path: string; method: string }) => {
      const { path, ...rest } = call;
      const none = { type: '', head: '', indent: '', entries: 0, changeEvery: 0 };
      const ended = watchStalls();
      const started = performance.now();
      asking.postMessage({ url: `${service.base}/api${path}`, token, ...none, ...rest } satisfies AskedCall);
      const [answer] = await once(asking, 'message');
      const seconds = (performance.now() - started) / 1000;
      const { ownMaxMs, ownMaxKernelMs, ownP99Ms, wallMaxMs } = ended();
      if (answer.status >= 300) throw new Error(`${name}: ${answer.status} ${answer.text}`);
      const ms = (value: number) => Math.round(value * 10) / 10;
      return {
        call: name,
        seconds: ms(seconds),
        'loop held by our work, p99 (ms)': ms(ownP99Ms),
        'loop held by our work, max (ms)': ms(ownMaxMs),
        'of which in the kernel (ms)': ms(ownMaxKernelMs),
        'loop without a core, max (ms)': ms(wallMaxMs),
      };
    };
    const file = {
      path: '/configuration/import/file?apply=true',
      method: 'POST',
      type: 'application/yaml',
      head: 'portcullis: 1\naddress_lists:\n  - name: Feed\n    action: block\n    entries: |\n',
      indent: '      ',
    };
    const imported = await ask('imported as a file', { ...file, entries });
    const again = await ask('imported with 2 % changed', { ...file, entries, changeEvery: 50 });
    const [list] = (await service.call('GET', '/api/access/lists?entries=none', undefined, token)).body;
    const path = `/access/lists/${list.id}/entries`;
    const fed = await ask('fed with 2 % changed', { path, method: 'PUT', type: 'text/plain', entries });
    const back = await ask('restored', { path: '/configuration/versions/3/restore', method: 'POST' });
    const out = await ask('exported', { path: '/configuration/export', method: 'GET' });
    const read = await ask('read as JSON', { path: '/access/lists?entries=all', method: 'GET' });
    const [type, head] = ['application/json', '{"name":"Feed","action":"block","description":"Daily"}'];
    const named = await ask('described', { path: `/access/lists/${list.id}`, method: 'PUT', type, head });
    return [imported, again, fed, back, out, read, named];
  } finally {
    await asking.terminate();
    await service.stop();
  }
}

/**
 * How long a long list of addresses holds the loop: imported, fed with two per cent changed, brought back, exported, read
 * with the other lists, and saved with another description, which answers it.
 */
export async function run(args: readonly string[]): Promise<BenchmarkResult> {
  const entries = Number(args[0] ?? million);
  const notes = [`${entries} addresses in one list on SQLite; the caller is a thread of its own`];
  return { title: 'Long lists of addresses', notes, rows: await measure(entries) };
}
