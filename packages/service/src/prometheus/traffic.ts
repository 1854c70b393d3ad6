import { latencyBucketsMs } from '@portcullis/contract/link';
import { latencyColumns } from '../storage/index.ts';
import type { readTotals } from '../traffic/index.ts';
import type { Metric, Sample } from './exposition.ts';

type Totals = Awaited<ReturnType<typeof readTotals>>[number];

/** Cumulative, in seconds, as the format has it. */
function histogramOf(row: Totals): Sample[] {
  const labels = { site: row.site_id };
  let below = 0;
  const buckets = latencyColumns.map((column, index) => {
    below += row[column];
    const bound = latencyBucketsMs[index];
    const le = bound === undefined ? '+Inf' : String(bound / 1000);
    return { suffix: '_bucket', labels: { ...labels, le }, value: below };
  });
  return [
    ...buckets,
    { suffix: '_sum', labels, value: row.duration_ms / 1000 },
    { suffix: '_count', labels, value: below },
  ];
}

const statusClasses = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;

/**
 * What the gateways counted, by site. The label `site` is an id of the configuration, empty for hosts that no site
 * names: an attacker cannot make more of them.
 * @param totals of configured sites only
 */
export function trafficMetrics(totals: readonly Totals[]): Metric[] {
  const counter = (name: string, help: string, figure: (row: Totals) => number): Metric => ({
    name,
    help,
    type: 'counter',
    samples: totals.map((row) => ({ labels: { site: row.site_id }, value: figure(row) })),
  });
  return [
    counter('portcullis_requests_total', 'Requests that came.', (row) => row.requests),
    counter('portcullis_blocked_total', 'Requests that were blocked.', (row) => row.blocked),
    counter('portcullis_challenged_total', 'Requests that were challenged.', (row) => row.challenged),
    {
      name: 'portcullis_responses_total',
      help: 'Answers by status class, whoever gave them.',
      type: 'counter',
      samples: totals.flatMap((row) =>
        statusClasses.map((name) => ({
          labels: { site: row.site_id, class: name },
          value: row[`status_${name}`],
        })),
      ),
    },
    counter('portcullis_received_bytes_total', 'Bytes of request bodies.', (row) => row.bytes_in),
    counter('portcullis_sent_bytes_total', 'Bytes of answers, heads left out.', (row) => row.bytes_out),
    {
      name: 'portcullis_request_duration_seconds',
      help: 'Time from the first byte of a request to the last of its answer.',
      type: 'histogram',
      samples: totals.flatMap(histogramOf),
    },
  ];
}
