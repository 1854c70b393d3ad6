import type { GatewayReport } from '@portcullis/contract/link';
import type { GatewayRegistry } from '../gateways/index.ts';
import type { Metric, Sample } from './exposition.ts';

/** Gateways differ where one cannot reach an upstream: then it counts as down. */
function upstreamSamples(upstreams: GatewayReport['upstreams']): Sample[] {
  const up = new Map<string, { site: string; upstream: string; value: number }>();
  for (const { siteId, url, healthy } of upstreams) {
    const key = `${siteId} ${url}`;
    const before = up.get(key)?.value ?? 1;
    up.set(key, { site: siteId, upstream: url, value: healthy ? before : 0 });
  }
  return [...up.values()].map(({ value, ...labels }) => ({ labels, value }));
}

/** What the gateways that are alive say of themselves, by gateway, and of the upstreams that they check. */
export function gatewayMetrics(gateways: GatewayRegistry): Metric[] {
  const reports = gateways.alive();
  const gauge = (name: string, help: string, figure: (report: GatewayReport) => number): Metric => ({
    name,
    help,
    type: 'gauge',
    samples: reports.map((report) => ({ labels: { gateway: report.gatewayId }, value: figure(report) })),
  });
  return [
    {
      name: 'portcullis_upstream_up',
      help: 'Whether health checks of an upstream pass on every gateway.',
      type: 'gauge',
      samples: upstreamSamples(gateways.upstreams()),
    },
    gauge('portcullis_gateway_connections', 'Open client connections.', (one) => one.activeConnections),
    gauge('portcullis_gateway_memory_bytes', 'Resident memory.', (one) => one.memoryBytes),
    gauge('portcullis_gateway_cpu_percent', 'Processor time of the last second.', (one) => one.cpuPercent),
    gauge('portcullis_gateway_spool_bytes', 'Events that wait on disk.', (one) => one.spoolBytes),
    gauge('portcullis_gateway_config_version', 'Configuration in force, 0 before the first.', (one) => {
      return one.configVersion ?? 0;
    }),
    gauge('portcullis_gateway_start_time_seconds', 'When it started, in Unix time.', (one) => {
      return Math.round(Date.parse(one.startedAt) / 1000);
    }),
  ];
}
