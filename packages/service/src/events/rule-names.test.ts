import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDialects } from '../storage/testing/index.ts';
import { batch, securityEvent, startService, type TestService } from '../testing/index.ts';

for (const dialect of testDialects()) {
  const why = dialect.missing ? ` (${dialect.missing})` : '';
  describe.skipIf(dialect.missing !== undefined)(`facets on ${dialect.name}${why}`, () => {
    let service: TestService;
    beforeAll(async () => {
      service = await startService({ databaseUrl: await dialect.databaseUrl() });
    });
    afterAll(async () => {
      await service.stop();
      await dialect.stop();
    });

    it('names the most frequent rules: those of operators, also off by now, and those built in by what they found', async () => {
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
      const message = 'UNION SELECT joins another query';
      const match = {
        ruleId: 'sqli-union',
        category: 'sql_injection' as const,
        severity: 'critical' as const,
        message,
        target: 'query:id',
        value: '1 union select 2',
        span: [2, 14] as [number, number],
        transformations: [],
        score: 5,
      };
      const events = [
        securityEvent({ ruleId: made.id, siteId }),
        securityEvent({ ruleId: 'sqli-union', siteId, matches: [match] }),
        securityEvent({ ruleId: 'without-match', siteId }),
      ];
      await service.service.controlPlane.accept(batch({ events }));
      await service.call('PUT', `/api/protection/rules/${made.id}`, { status: 'inactive' }, token);
      const { rules } = (await service.call('GET', '/api/events/facets', undefined, token)).body;
      expect(
        rules.toSorted((a: { value: string }, b: { value: string }) => (a.value < b.value ? -1 : 1)),
      ).toEqual([
        { value: made.id, count: 1, name: 'No x' },
        { value: 'sqli-union', count: 1, name: message },
        { value: 'without-match', count: 1 },
      ]);
    });
  });
}
