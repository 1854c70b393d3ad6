import { Metrics } from '@portcullis/contract/monitoring';
import { Site } from '@portcullis/contract/sites';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { readTolerant } from './tolerant.ts';

it('keeps a list whole when another server leaves a field of one entry out', () => {
  const sites = readTolerant(z.array(Site), [
    { id: 'a', name: 'A', domains: ['a.example'], backend_url: 'http://127.0.0.1:1', enabled: true },
  ]);
  expect(sites[0]).toMatchObject({ id: 'a', name: 'A', response_mode: 'html', cors: { max_age: 3600 } });
});

it('fills what has a default and leaves what does not parse as it came', () => {
  const metrics = readTolerant(Metrics, { totalRequests: 5, qps: 'odd' });
  expect(metrics).toMatchObject({ totalRequests: 5, qps: 'odd', sites: [] });
});
