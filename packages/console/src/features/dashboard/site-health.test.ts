import { Metrics } from '@portcullis/contract/monitoring';
import { expect, it } from 'vitest';
import { fewSites } from './site-health.tsx';

const metrics = (sites: number) =>
  Metrics.parse({
    ...{ totalRequests: 0, blockedRequests: 0, qps: 0, uptime: 0, activeConnections: 0, avgResponseTime: 0 },
    sites: Array.from({ length: sites }, (_, index) => ({ site_id: `${index}`, requests: 0, blocked: 0 })),
  });

it('makes a strip of one to three sites, and of none', () => {
  expect([0, 1, 3].map((sites) => fewSites(metrics(sites)))).toEqual([true, true, true]);
  expect(fewSites(undefined)).toBe(true);
});

it('gives four sites a column of their own', () => expect(fewSites(metrics(4))).toBe(false));
