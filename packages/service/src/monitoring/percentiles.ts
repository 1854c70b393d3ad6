import { latencyBucketsMs } from '@portcullis/contract/link';
import type { Percentiles } from '@portcullis/contract/monitoring';

/**
 * Estimates a percentile from a histogram, evenly spread within its bucket, as Prometheus' histogram_quantile does.
 * @param histogram requests per bucket of `latencyBucketsMs`, and of the open one
 * @param share between 0 and 1
 * @returns milliseconds; of the open bucket its lower bound, for nothing is known above; null without requests
 */
export function percentile(histogram: readonly number[], share: number): number | null {
  const total = histogram.reduce((sum, requests) => sum + requests, 0);
  if (total === 0) return null;
  const rank = share * total;
  let below = 0;
  for (const [index, requests] of histogram.entries()) {
    const lower = latencyBucketsMs[index - 1] ?? 0;
    const upper = latencyBucketsMs[index];
    if (requests > 0 && below + requests >= rank) {
      return upper === undefined ? lower : lower + ((upper - lower) * (rank - below)) / requests;
    }
    below += requests;
  }
  return latencyBucketsMs.at(-1) ?? null;
}

const rounded = (value: number | null) => (value === null ? null : Math.round(value * 100) / 100);

/** The percentiles that charts show. @see percentile */
export function percentilesOf(histogram: readonly number[]): Percentiles {
  const at = (share: number) => rounded(percentile(histogram, share));
  return { p50: at(0.5), p90: at(0.9), p95: at(0.95), p99: at(0.99) };
}
