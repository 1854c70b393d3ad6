import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStorage, type Storage } from '../storage/index.ts';
import { testDialects } from '../storage/testing/index.ts';
import { gatewayReport, startService, type TestService } from '../testing/index.ts';

for (const dialect of testDialects()) {
  const why = dialect.missing ? ` (${dialect.missing})` : '';
  describe.skipIf(dialect.missing !== undefined)(
    `the history of the configuration on ${dialect.name}${why}`,
    () => {
      let service: TestService;
      let token: string;
      /** what an earlier release left is written past the service */
      let beside: Storage;
      const call = (method: string, path: string, body?: unknown) =>
        service.call(method, `/api${path}`, body, token);
      const snapshot = () => {
        const [directive] = service.service.controlPlane.current();
        if (directive?.type !== 'snapshot') throw new Error('no snapshot');
        return directive.snapshot;
      };
      const inForce = () => {
        const { version, createdAt, sites, ...rest } = snapshot();
        // Versions and times of single things rise with a restoration; all else must be as it was.
        const bare = sites.map(({ version: _v, updated_at: _u, rules, ...site }) => ({
          ...site,
          rules: rules.map(({ updated_at: _r, ...rule }) => rule),
        }));
        const lists = rest.addressLists.map(({ version: _v, updated_at: _u, ...list }) => list);
        return { ...rest, addressLists: lists, sites: bare };
      };
      const site = (name: string, domain: string) => ({
        name,
        domains: [domain],
        backend_url: 'http://127.0.0.1:3000',
      });
      beforeAll(async () => {
        const databaseUrl = await dialect.databaseUrl();
        service = await startService({
          databaseUrl,
          checkRule: ({ conditions }) =>
            conditions.rules.flatMap(({ value }, index) =>
              value === '(a+)+$'
                ? [{ path: `conditions.rules.${index}.value`, message: 'It backtracks' }]
                : [],
            ),
        });
        token = await service.signIn();
        beside = await openStorage({ dataDir: service.dataDir, databaseUrl });
      });
      afterAll(async () => {
        await beside.close();
        await service.stop();
        await dialect.stop();
      });

      it('tells who changed what, field by field', async () => {
        const { body } = await call('POST', '/sites', site('Shop', 'shop.example.com'));
        await call('PUT', `/sites/${body.id}`, { description: 'Our shop', enabled: false });
        const [newest, before] = (await call('GET', '/configuration/versions?limit=2')).body;
        expect(newest).toMatchObject({
          version: 3,
          author: 'admin@example.com',
          changes: [{ kind: 'site', change: 'updated', fields: ['description', 'enabled'] }],
        });
        expect(before.changes).toMatchObject([{ change: 'created', fields: [] }]);
        const detail = (await call('GET', '/configuration/versions/3')).body;
        expect(detail.changes[0]).toMatchObject({
          before: { description: '' },
          after: { description: 'Our shop' },
        });
        expect((await call('GET', '/configuration/versions/99')).status).toBe(404);
      });

      it('brings back sites with their rules, lists, settings and moved domains, as a new version', async () => {
        const { body: shop } = await call('POST', '/sites', site('One', 'one.example.com'));
        const { body: blog } = await call('POST', '/sites', site('Two', 'two.example.com'));
        const conditions = { rules: [{ field: 'path', operator: 'equals', value: '/x' }] };
        const { body: rule } = await call('POST', '/protection/rules', {
          siteId: shop.id,
          name: 'No x',
          conditions,
        });
        await call('POST', '/access/lists', {
          name: 'Bad',
          action: 'block',
          entries: ['192.0.2.1'],
          siteId: blog.id,
        });
        await call('PUT', '/settings/general', { systemName: 'Before' });
        const version = snapshot().version;
        const before = inForce();

        await call('PUT', '/settings/general', { systemName: 'After' });
        await call('DELETE', `/protection/rules/${rule.id}`);
        await call('DELETE', `/sites/${shop.id}`);
        await call('PUT', `/sites/${blog.id}`, { domains: ['one.example.com'] });
        await call('POST', '/sites', site('Three', 'two.example.com'));
        expect(inForce()).not.toEqual(before);

        const restored = await call('POST', `/configuration/versions/${version}/restore`);
        expect(restored.status).toBe(200);
        expect(restored.body.version).toBe(snapshot().version);
        expect(inForce()).toEqual(before);
        const again = await call('POST', `/configuration/versions/${restored.body.version}/restore`);
        expect(again.status).toBe(422);
      });

      it('goes back to the empty installation and forth again', async () => {
        const { version } = snapshot();
        const before = inForce();
        expect((await call('POST', '/configuration/versions/1/restore')).status).toBe(200);
        expect(snapshot().sites).toEqual([]);
        await call('POST', `/configuration/versions/${version}/restore`);
        expect(inForce()).toEqual(before);
      });

      it('holds the notification settings without their secrets, which stay when they are brought back', async () => {
        const channels = { slack: { enabled: true, webhookUrl: 'https://hooks.slack.com/services/secret' } };
        await call('PUT', '/notifications/settings', channels);
        const { version } = snapshot();
        await call('PUT', '/notifications/settings', {
          slack: { enabled: false },
          quietHours: { enabled: true },
        });
        const [newest, before] = (await call('GET', '/configuration/versions?limit=2')).body;
        expect(newest.changes).toMatchObject([{ id: 'notifications', fields: ['slack', 'quietHours'] }]);
        expect(before.reason).toBe('Notification settings were saved: Slack, the Slack webhook');
        const detail = await call('GET', `/configuration/versions/${version}`);
        expect(detail.body.changes[0].after.slack).toMatchObject({ webhookUrl: '', webhookUrlSet: true });
        expect((await call('POST', `/configuration/versions/${version}/restore`)).status).toBe(200);
        const { slack, quietHours } = (await call('GET', '/notifications/settings')).body;
        expect(slack).toMatchObject({ enabled: true, webhookUrlSet: true });
        expect(quietHours.enabled).toBe(false);
      });

      /** Makes the newest version one of an earlier release. */
      const rewritten = async (from: string, to: string) => {
        const { version } = snapshot();
        const rows = beside.read
          .selectFrom('config_versions')
          .select('changes')
          .where('version', '=', version);
        const { changes } = await rows.executeTakeFirstOrThrow();
        expect(changes).toContain(from);
        await beside.db
          .updateTable('config_versions')
          .set({ changes: changes.replaceAll(from, to) })
          .where('version', '=', version)
          .execute();
      };

      it('does not bring back what is not allowed any more, and says what and why', async () => {
        const { body: shop } = await call('POST', '/sites', site('Old', 'old.example.com'));
        const conditions = { rules: [{ field: 'path', operator: 'regex', value: '^/a+$' }] };
        const rule = { siteId: shop.id, name: 'Aged', severity: 'high', conditions };
        const { body: aged } = await call('POST', '/protection/rules', rule);
        const entries = Array.from({ length: 300 }, (_, n) => `10.0.1.${n % 256}/${n < 256 ? 32 : 31}`);
        const list = { name: 'Aged list', action: 'block', entries };
        const { body: made } = await call('POST', '/access/lists', list);
        const refused = [
          [`/sites/${shop.id}`, { description: 'x' }, '"security_level":"medium"', '"security_level":"most"'],
          [`/protection/rules/${aged.id}`, { name: 'Newer' }, '"severity":"high"', '"severity":"most"'],
          [`/protection/rules/${aged.id}`, { name: 'Newest' }, '^/a+$', '(a+)+$'],
          [`/access/lists/${made.id}`, { ...list, entries: entries.slice(1) }, '10.0.1.0/32', '10.0.1.0/64'],
          ['/settings/general', { systemName: 'Gate' }, '"requestTimeout":30', '"requestTimeout":3000'],
          [
            '/settings/security',
            { minPasswordLength: 9 },
            '"allowedOrigins":["*"]',
            '"allowedOrigins":["x"]',
          ],
        ] as const;
        for (const [path, change, from, to] of refused) {
          const { version } = snapshot();
          expect((await call('PUT', path, change)).status).toBe(200);
          await rewritten(from, to);
          const before = snapshot();
          const answer = await call('POST', `/configuration/versions/${version}/restore`);
          expect([path, answer.status]).toEqual([path, 422]);
          expect(answer.body.message).toContain('cannot be as it stood then');
          expect(answer.body.issues.length).toBeGreaterThan(0);
          expect(snapshot()).toEqual(before);
        }
      });

      it('brings back what an earlier release kept with the defaults of what was learnt since', async () => {
        const { body: shop } = await call('POST', '/sites', site('Older', 'older.example.com'));
        const conditions = { rules: [{ field: 'path', operator: 'equals', value: '/x' }] };
        const rule = { siteId: shop.id, name: 'Young', conditions };
        const { body: aged } = await call('POST', '/protection/rules', rule);
        const { version } = snapshot();
        await call('PUT', `/protection/rules/${aged.id}`, { name: 'Grown' });
        await rewritten('"severity":"medium",', '');
        expect((await call('POST', `/configuration/versions/${version}/restore`)).status).toBe(200);
        const inForceNow = snapshot().sites.find(({ id }) => id === shop.id)?.rules;
        expect(inForceNow).toMatchObject([{ name: 'Young', severity: 'medium' }]);
      });

      it('shows what a gateway serves by and why it refused a configuration', async () => {
        const refused = { version: 2, reason: 'rule r1 cannot be compiled' };
        service.service.controlPlane.acceptReport(gatewayReport({ configVersion: 1, refused }));
        const version = (await call('GET', '/configuration/versions/2')).body;
        expect(version.refused).toEqual([{ gateway: 'gateway-1', reason: 'rule r1 cannot be compiled' }]);
        expect((await call('GET', '/configuration/versions/3')).body).not.toHaveProperty('refused');
        const { members } = (await call('GET', '/fleet')).body;
        expect(members).toMatchObject([
          { id: 'service', kind: 'service', behindBy: 0 },
          { id: 'gateway-1', kind: 'gateway', configVersion: 1, requestsPerSecond: 10 },
        ]);
        expect(members[1].warnings).toEqual([
          { code: 'refused', text: 'Refuses configuration 2: rule r1 cannot be compiled' },
        ]);
      });
    },
  );
}
