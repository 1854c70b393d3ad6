import { describe, expect, it } from 'vitest';
import { gatewayReport } from '../testing/gateway-report.ts';
import { GatewayRegistry } from './index.ts';

const upstream = (siteId: string, healthy: boolean) => ({
  ...{ siteId, url: 'http://127.0.0.1:9', healthy },
  ...{ checksPassed: healthy ? 3 : 1, checksFailed: healthy ? 0 : 3 },
});

describe('what gateways say of their sites', () => {
  it('is added up by site', () => {
    const registry = new GatewayRegistry(() => 0);
    const perSite = [
      { siteId: 'a', requests: 4 },
      { siteId: 'b', requests: 6 },
    ];
    const said = { intervalMs: 1000, requests: 10, perSite };
    registry.add(gatewayReport({ gatewayId: 'one', ...said, upstreams: [upstream('a', true)] }));
    registry.add(
      gatewayReport({ gatewayId: 'two', ...said, upstreams: [upstream('a', false), upstream('b', true)] }),
    );
    expect(['a', 'b', 'c', undefined].map((site) => registry.requestsPerSecond(site))).toEqual([
      8, 12, 0, 20,
    ]);
    expect(registry.health('a')).toMatchObject({ healthy: false, uptime: 57.14 });
    expect(registry.health('b')).toMatchObject({ healthy: true, uptime: 100 });
    expect(registry.health('c')).toBeUndefined();
  });

  it('is kept of sites that a report leaves out, for as long as the gateway runs', () => {
    const registry = new GatewayRegistry(() => 0);
    const states = () => ['a', 'b', 'c'].map((site) => registry.health(site)?.healthy);
    registry.add(gatewayReport({ upstreams: [upstream('a', true), upstream('b', true)] }));
    registry.add(gatewayReport({ upstreams: [upstream('c', false)], upstreamsOf: ['c', 'a'] }));
    expect(states()).toEqual([undefined, true, false]);
    expect(registry.upstreams()).toHaveLength(2);
    const startedAt = '2026-01-02T00:00:00.000Z';
    registry.add(gatewayReport({ startedAt, upstreams: [upstream('a', false)], upstreamsOf: ['a'] }));
    expect(states()).toEqual([false, undefined, undefined]);
    registry.add(gatewayReport({ startedAt, upstreams: [upstream('b', true)] }));
    expect(states()).toEqual([undefined, true, undefined]);
  });
});
