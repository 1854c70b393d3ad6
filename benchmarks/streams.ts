import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import {
  batch,
  securityEvent,
  startService,
  type TestService,
} from '../packages/service/src/testing/index.ts';
import type { BenchmarkResult } from './run.ts';

/** Takes half a minute and all of a core; `npm run bench:streams [readers] [events a second] [seconds]`. */
export const onDemand = true;

interface Seen {
  readonly entries: number;
  readonly missed: number;
  readonly bytes: number;
  /** milliseconds of each call of the API */
  readonly times: number[];
}

const tickMs = 50;
const quantile = (values: readonly number[], q: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))] ?? 0;

/** One account for every ten readers, which is as many streams as an account may have. @returns their tokens */
async function accounts(service: TestService, readers: number): Promise<string[]> {
  const admin = await service.signIn();
  const password = 'Correct-horse-7!';
  const tokens: string[] = [];
  for (let index = 0; index < readers / 10; index += 1) {
    const email = `reader-${index}@example.com`;
    await service.call('POST', '/api/users', { email, password, role: 'viewer' }, admin);
    tokens.push(await service.signIn(email, password));
  }
  return tokens;
}

/** Stores events at a rate, as gateways report them, until it is called off. */
function store(accept: (events: number) => Promise<void>, perSecond: number): () => Promise<number> {
  let stored = 0;
  let last: Promise<void> = Promise.resolve();
  const began = performance.now();
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - began) / 1000) * perSecond) - stored;
    if (due <= 0) return;
    stored += due;
    last = last.then(() => accept(due));
  }, tickMs);
  return async () => {
    clearInterval(timer);
    await last;
    return stored;
  };
}

/** The API's answers while many read the live log, each event stored on the way as in the running product. */
export async function run(args: readonly string[]): Promise<BenchmarkResult> {
  const [readers = 200, perSecond = 1000, seconds = 20] = args.map(Number);
  const service = await startService();
  try {
    const child = fork(
      path.join(import.meta.dirname, 'streams', 'readers.ts'),
      [service.base, String(readers), ...(await accounts(service, readers))],
      { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
    );
    const exited = once(child, 'exit');
    await Promise.race([
      once(child, 'message'),
      exited.then(() => Promise.reject(new Error('readers ended'))),
    ]);
    const finish = store(async (due) => {
      const events = Array.from({ length: due }, () => securityEvent());
      const delivery = await service.service.controlPlane.accept(batch({ events }));
      if (!delivery.delivered) throw new Error(delivery.reason);
    }, perSecond);
    child.send('begin');
    const cpu = process.cpuUsage();
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    const used = process.cpuUsage(cpu);
    const stored = await finish();
    child.send('count');
    const [seen] = (await once(child, 'message')) as [Seen];
    child.send('end');
    await exited;
    return {
      title: 'Readers of the live log',
      notes: [
        'service and storage (SQLite) in one process, all readers in another; GET /api/sites one after the other meanwhile',
        `${stored} events in ${seconds} s, ${readers} readers, ${(seen.bytes / seconds / 1e6).toFixed(0)} MB/s sent`,
      ],
      rows: [
        {
          readers,
          'events/s': perSecond,
          'entries read (% of stored)': Number(((seen.entries / (stored * readers)) * 100).toFixed(1)),
          'gaps told': seen.missed,
          'API p50 (ms)': Number(quantile(seen.times, 0.5).toFixed(1)),
          'API p99 (ms)': Number(quantile(seen.times, 0.99).toFixed(1)),
          'service CPU (% of a core)': Math.round(((used.user + used.system) / (seconds * 1e6)) * 100),
        },
      ],
    };
  } finally {
    await service.stop();
  }
}
