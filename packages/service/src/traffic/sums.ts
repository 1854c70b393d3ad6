import type { Counters } from '@portcullis/contract/link';
import { latencyColumns, type SumColumn, sumColumns } from '../storage/index.ts';

/** What is added to a row of a traffic table. */
export type Sums = Record<SumColumn, number>;

/** A gateway's increments as columns. Fractions of milliseconds are dropped; counts stay whole. */
export function sumsOf(counters: Counters): Sums {
  const [status_1xx, status_2xx, status_3xx, status_4xx, status_5xx] = counters.statuses;
  const latency = latencyColumns.map((column, index) => [column, counters.latency[index] ?? 0] as const);
  return {
    requests: counters.requests,
    blocked: counters.blocked,
    challenged: counters.challenged,
    status_1xx,
    status_2xx,
    status_3xx,
    status_4xx,
    status_5xx,
    bytes_in: counters.bytesIn,
    bytes_out: counters.bytesOut,
    duration_ms: Math.round(counters.durationMs),
    ...(Object.fromEntries(latency) as Record<(typeof latencyColumns)[number], number>),
  };
}

/** @returns the sum of both, column by column */
export function addSums(a: Sums, b: Sums): Sums {
  const sum = { ...a };
  for (const column of sumColumns) sum[column] += b[column];
  return sum;
}

/** What nothing adds up to. */
export function noSums(): Sums {
  return Object.fromEntries(sumColumns.map((column) => [column, 0])) as Sums;
}
