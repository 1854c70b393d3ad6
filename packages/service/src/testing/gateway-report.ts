import type { GatewayReport } from '@portcullis/contract/link';

/** What a gateway at peace reports each second. */
export function gatewayReport(fields: Partial<GatewayReport> = {}): GatewayReport {
  return {
    gatewayId: 'gateway-1',
    productVersion: '0.1.0',
    startedAt: '2026-01-01T00:00:00.000Z',
    activeConnections: 1,
    requests: 10,
    intervalMs: 1000,
    perSite: [],
    upstreams: [],
    spoolBytes: 0,
    memoryBytes: 1,
    cpuPercent: 1,
    ...fields,
  };
}
