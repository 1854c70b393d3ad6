import { createIntake, rowFilter, searchEvents } from '../packages/service/src/events/index.ts';
import {
  type TestDialect,
  type TestStorage,
  testDialects,
} from '../packages/service/src/storage/testing/index.ts';
import type { BenchmarkResult } from './run.ts';
import { event, everyPair } from './storage/event.ts';
import { measureExports } from './storage/export.ts';
import { watchStalls } from './storage/stalls.ts';

/** Takes minutes; `npm run bench:storage 5000000` for the size that the product is meant for. */
export const onDemand = true;

const batchSize = 500;
const dayMs = 86_400_000;
const log = { info: () => {}, warn: () => {}, error: () => {} };
const limitMs = 50;

const filters = {
  newest: {},
  'by site': { siteId: 'site_3' },
  'by level': { level: ['warning'] },
  'by rule': { ruleId: 'rule-7' },
  'by address': { clientIp: '203.0.7.7' },
  'by request': { requestId: 'req-4242' },
  'by site and level': { siteId: 'site_0', level: ['info'] },
} as const;

const quantile = (values: readonly number[], q: number) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))] ?? 0;
const ms = (value: number) => Number(value.toFixed(1));

type Row = Record<string, string | number>;

async function timeRead(storage: TestStorage, query: object): Promise<number> {
  const began = performance.now();
  await searchEvents({ read: storage.read, dialect: storage.dialect, filter: rowFilter(query), limit: 50 });
  return performance.now() - began;
}

async function fill(storage: TestStorage, total: number, reads: number[]): Promise<number> {
  const now = Date.now();
  const intake = createIntake({ storage, log, now: () => now });
  const began = performance.now();
  let reading: Promise<unknown> = Promise.resolve();
  const timeOf = (index: number) => now - 3 * dayMs + Math.floor((index / total) * 3 * dayMs);
  for (let from = 0; from < total; from += batchSize) {
    const length = Math.min(batchSize, total - from);
    const events = Array.from({ length }, (_, i) => event(from + i, timeOf(from + i)));
    const given = { id: `b-${from}`, gatewayId: 'gateway-1', events, counters: [], dropped: 0 };
    const delivery = await intake.accept(given);
    if (!delivery.delivered) throw new Error(delivery.reason);
    if ((from / batchSize) % 10 === 0) {
      const query = Object.values(filters)[(from / batchSize / 10) % Object.keys(filters).length] ?? {};
      reading = reading.then(async () => reads.push(await timeRead(storage, query)));
    }
  }
  const seconds = (performance.now() - began) / 1000;
  await reading;
  return total / seconds;
}

/** The page of every pair of filters; the second reading of each counts, for the first one may be of the disk. */
async function readPairs(storage: TestStorage): Promise<Row> {
  const pairs = everyPair();
  let worst = { name: '', took: 0 };
  let slow = 0;
  for (const query of pairs) {
    await timeRead(storage, query);
    const took = Math.min(await timeRead(storage, query), await timeRead(storage, query));
    if (took > limitMs) slow += 1;
    if (took > worst.took) worst = { name: JSON.stringify(query), took };
  }
  return {
    'pairs of filters': pairs.length,
    [`pairs over ${limitMs} ms`]: slow,
    'worst pair (ms)': ms(worst.took),
    'worst pair': worst.name,
  };
}

async function measure(dialect: TestDialect, total: number): Promise<Row> {
  const storage = await dialect.open();
  try {
    const ended = watchStalls();
    const during: number[] = [];
    const insertsPerSecond = await fill(storage, total, during);
    const stalls = ended();
    const row: Row = {
      database: dialect.name,
      events: total,
      'inserts/s': Math.round(insertsPerSecond),
      'read p99 while writing (ms)': ms(quantile(during, 0.99)),
      'loop held by our work, p99 (ms)': ms(stalls.ownP99Ms),
      'loop held by our work, max (ms)': ms(stalls.ownMaxMs),
      'of which in the kernel (ms)': ms(stalls.ownMaxKernelMs),
      'loop without a core, max (ms)': ms(stalls.wallMaxMs),
    };
    for (const [name, query] of Object.entries(filters)) {
      const times: number[] = [];
      for (let turn = 0; turn < 20; turn++) times.push(await timeRead(storage, query));
      row[`${name} p50/max (ms)`] = `${ms(quantile(times, 0.5))} / ${ms(Math.max(...times))}`;
    }
    Object.assign(row, await readPairs(storage));
    for (const { format, megabytes, seconds, grewBy } of await measureExports(storage, total)) {
      row[`export as ${format}`] = `${megabytes} MB in ${seconds} s, memory +${grewBy} MB`;
    }
    return row;
  } finally {
    await storage.close();
    await dialect.stop();
  }
}

/** Inserts, reads and exports of events, on SQLite and on a PostgreSQL of the benchmark's own. */
export async function run(args: readonly string[]): Promise<BenchmarkResult> {
  const total = Number(args[0] ?? 200_000);
  const rows: Row[] = [];
  const notes = [
    `${total} events over three days in batches of ${batchSize}, one transaction each, a page of 50 read beside every tenth`,
    'SQLite: WAL, synchronous FULL. PostgreSQL: Unix socket, fsync off, so its inserts are those of a fast disk at best',
    "held by our work: CPU time of the service's thread between two turns of its loop, with the making of the events",
    'memory: growth of the process, reader and all, after the first tenth of the text',
  ];
  for (const dialect of testDialects()) {
    if (dialect.missing) notes.push(`${dialect.name} left out: ${dialect.missing}`);
    else rows.push(await measure(dialect, total));
  }
  return { title: 'Events in storage', notes, rows };
}
