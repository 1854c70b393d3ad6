import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { SecurityEvent } from '../packages/contract/src/events/index.ts';
import { createIntake, rowFilter, searchEvents } from '../packages/service/src/events/index.ts';
import {
  type TestDialect,
  type TestStorage,
  testDialects,
} from '../packages/service/src/storage/testing/index.ts';
import type { BenchmarkResult } from './run.ts';

/** Takes minutes; `npm run bench:storage 5000000` for the size that the product is meant for. */
export const onDemand = true;

const batchSize = 500;
const dayMs = 86_400_000;
const log = { info: () => {}, warn: () => {}, error: () => {} };

const filters = {
  newest: {},
  'by site': { siteId: 'site_3' },
  'by level': { level: ['warning'] },
  'by rule': { ruleId: 'rule-7' },
  'by address': { clientIp: '203.0.113.77' },
  'by request': { requestId: 'req-4242' },
  'by site and category': { siteId: 'site_5', category: ['xss'] },
} as const;

function event(index: number, start: number, span: number, total: number): SecurityEvent {
  return {
    id: `evt-${index}`,
    requestId: `req-${index}`,
    time: start + Math.floor((index / total) * span),
    gatewayId: 'gateway-1',
    kind: 'detection',
    level: index % 9 === 0 ? 'warning' : 'error',
    decision: index % 9 === 0 ? 'challenge' : 'block',
    siteId: `site_${index % 20}`,
    method: 'GET',
    host: 'shop.example.com',
    path: `/products/${index % 5000}?id=1%20union%20select`,
    status: 403,
    clientIp: `203.0.${(index >> 8) % 256}.${index % 256}`,
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36',
    category: index % 4 === 0 ? 'xss' : 'sql_injection',
    ruleId: `rule-${index % 40}`,
    message: 'Blocked: SQL injection in query parameter id',
    score: 5,
    matches: [],
    count: 1,
  };
}

const quantile = (values: readonly number[], q: number) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))] ?? 0;
const ms = (value: number) => Number(value.toFixed(1));

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
  for (let from = 0; from < total; from += batchSize) {
    const length = Math.min(batchSize, total - from);
    const events = Array.from({ length }, (_, i) => event(from + i, now - 3 * dayMs, 3 * dayMs, total));
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

async function measure(dialect: TestDialect, total: number): Promise<Record<string, string | number>> {
  const storage = await dialect.open();
  try {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const during: number[] = [];
    const insertsPerSecond = await fill(storage, total, during);
    delay.disable();
    const row: Record<string, string | number> = {
      database: dialect.name,
      events: total,
      'inserts/s': Math.round(insertsPerSecond),
      'read p99 while writing (ms)': ms(quantile(during, 0.99)),
      'loop delay p99 (ms)': ms(delay.percentile(99) / 1e6),
      'loop delay max (ms)': ms(delay.max / 1e6),
    };
    for (const [name, query] of Object.entries(filters)) {
      const times: number[] = [];
      for (let turn = 0; turn < 20; turn++) times.push(await timeRead(storage, query));
      row[`${name} p50/max (ms)`] = `${ms(quantile(times, 0.5))} / ${ms(Math.max(...times))}`;
    }
    return row;
  } finally {
    await storage.close();
    await dialect.stop();
  }
}

/** Inserts and reads of events, on SQLite and on a PostgreSQL of the benchmark's own. */
export async function run(args: readonly string[]): Promise<BenchmarkResult> {
  const total = Number(args[0] ?? 200_000);
  const rows: Record<string, string | number>[] = [];
  const notes = [
    `${total} events over three days in batches of ${batchSize}, one transaction each, a page of 50 read beside every tenth`,
    'SQLite: WAL, synchronous FULL. PostgreSQL: Unix socket, fsync off, so its inserts are those of a fast disk at best',
  ];
  for (const dialect of testDialects()) {
    if (dialect.missing) notes.push(`${dialect.name} left out: ${dialect.missing}`);
    else rows.push(await measure(dialect, total));
  }
  return { title: 'Events in storage', notes, rows };
}
