import { latencyBucketsMs } from '@portcullis/contract/link';
import {
  type LatencyFigures,
  type TrafficBreakdown,
  type TrafficSums,
  type WindowName,
  type WindowQuery,
  windows,
} from '@portcullis/contract/monitoring';
import { countFacets, rowFilter } from '../events/index.ts';
import { latencyColumns, type Storage } from '../storage/index.ts';
import { addSums, noSums, readSteps, type Sums } from '../traffic/index.ts';
import { percentilesOf } from './percentiles.ts';

export interface WindowParts {
  readonly storage: Pick<Storage, 'read' | 'dialect'>;
  readonly now: () => number;
}

interface Span {
  readonly from: number;
  readonly to: number;
  readonly stepMs: number;
}

/** The window's whole steps, the running one last. */
function spanOf(window: WindowName, now: number): Span {
  const { seconds, step } = windows[window];
  const stepMs = step * 1000;
  const to = (Math.floor(now / stepMs) + 1) * stepMs;
  return { from: to - seconds * 1000, to, stepMs };
}

const wire = ({ from, to, stepMs }: Span) => ({
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
  step: stepMs / 1000,
});

/** @returns the sums of each step and of all; a step without traffic stands with zeros */
async function readSpan(parts: WindowParts, { from, to, stepMs }: Span, siteId: string | undefined) {
  const grain = stepMs < 3_600_000 ? 'minute' : 'hour';
  const rows = await readSteps(parts.storage.read, { grain, since: from, stepMs, siteId });
  const byTime = new Map(rows.map((row) => [row.time, row]));
  const steps = Array.from({ length: (to - from) / stepMs }, (_, index) => {
    const time = from + index * stepMs;
    return { time, sums: byTime.get(time) ?? noSums() };
  });
  return { steps, all: steps.reduce((sum, { sums }) => addSums(sum, sums), noSums()) };
}

const histogramOf = (sums: Sums) => latencyColumns.map((column) => sums[column]);

/** @see LatencyFigures */
export async function readLatency(parts: WindowParts, query: WindowQuery): Promise<LatencyFigures> {
  const span = spanOf(query.window, parts.now());
  const { steps, all } = await readSpan(parts, span, query.siteId);
  return {
    ...wire(span),
    requests: all.requests,
    ...percentilesOf(histogramOf(all)),
    buckets: histogramOf(all).map((requests, index) => ({ le: latencyBucketsMs[index] ?? null, requests })),
    points: steps.map(({ time, sums }) => ({
      time: new Date(time).toISOString(),
      requests: sums.requests,
      ...percentilesOf(histogramOf(sums)),
    })),
  };
}

function trafficOf(sums: Sums): TrafficSums {
  return {
    requests: sums.requests,
    passed: Math.max(0, sums.requests - sums.blocked - sums.challenged),
    blocked: sums.blocked,
    challenged: sums.challenged,
    statuses: {
      '1xx': sums.status_1xx,
      '2xx': sums.status_2xx,
      '3xx': sums.status_3xx,
      '4xx': sums.status_4xx,
      '5xx': sums.status_5xx,
    },
    bytesIn: sums.bytes_in,
    bytesOut: sums.bytes_out,
  };
}

/** @see TrafficBreakdown */
export async function readBreakdown(parts: WindowParts, query: WindowQuery): Promise<TrafficBreakdown> {
  const { read, dialect } = parts.storage;
  const { siteId } = query;
  const span = spanOf(query.window, parts.now());
  const filter = {
    ...rowFilter({ siteId, action: ['blocked', 'challenged'] }),
    from: span.from,
    to: span.to,
  };
  const [{ steps, all }, facets] = await Promise.all([
    readSpan(parts, span, siteId),
    countFacets(read, dialect, filter),
  ]);
  return {
    ...wire(span),
    ...trafficOf(all),
    points: steps.map(({ time, sums }) => ({ time: new Date(time).toISOString(), ...trafficOf(sums) })),
    sampled: facets.sampled,
    categories: facets.categories,
    rules: facets.rules,
    attackers: facets.addresses,
    targets: facets.paths,
    sites: facets.sites,
  };
}
