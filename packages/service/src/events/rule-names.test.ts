import { afterAll, beforeAll, expect, it } from 'vitest';
import { batch, securityEvent, startService, type TestService } from '../testing/index.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

it('names the rules of operators among the most frequent ones, also one that is off by now', async () => {
  const token = await service.signIn();
  const site = { name: 'Shop', domains: ['shop.example.com'], backend_url: 'http://192.0.2.1:3000' };
  const { id: siteId } = (await service.call('POST', '/api/sites', site, token)).body;
  const conditions = { rules: [{ field: 'path', operator: 'equals', value: '/x' }] };
  const rule = {
    siteId,
    name: 'No x',
    type: 'custom',
    conditions,
    action: 'block',
    severity: 'low',
    status: 'active',
  };
  const made = (await service.call('POST', '/api/protection/rules', rule, token)).body;
  const events = [made.id, 'sqli-union'].map((ruleId) => securityEvent({ ruleId, siteId }));
  await service.service.controlPlane.accept(batch({ events }));
  await service.call('PUT', `/api/protection/rules/${made.id}`, { status: 'inactive' }, token);
  const { rules } = (await service.call('GET', '/api/events/facets', undefined, token)).body;
  expect(
    rules.toSorted((a: { value: string }, b: { value: string }) => (a.value < b.value ? -1 : 1)),
  ).toEqual([
    { value: made.id, count: 1, name: 'No x' },
    { value: 'sqli-union', count: 1 },
  ]);
});
