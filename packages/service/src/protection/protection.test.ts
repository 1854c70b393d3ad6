import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStorage } from '../storage/index.ts';
import { testDialects } from '../storage/testing/index.ts';
import { adminPassword, startService, type TestService } from '../testing/index.ts';
import { templates } from './index.ts';

for (const dialect of testDialects()) {
  const why = dialect.missing ? ` (${dialect.missing})` : '';
  describe.skipIf(dialect.missing !== undefined)(`protection on ${dialect.name}${why}`, () => {
    let service: TestService;
    let databaseUrl: string | undefined;
    let token: string;
    let siteId: string;
    let sites = 0;
    const call = (method: string, path: string, body?: unknown) =>
      service.call(method, `/api${path}`, body, token);
    const rule = (more = {}) => ({
      siteId,
      name: 'No curl',
      conditions: { rules: [{ field: 'user_agent', operator: 'starts_with', value: 'curl/' }] },
      ...more,
    });
    const snapshotSite = () => {
      const [directive] = service.service.controlPlane.current();
      return directive?.type === 'snapshot'
        ? directive.snapshot.sites.find(({ id }) => id === siteId)
        : undefined;
    };
    beforeAll(async () => {
      databaseUrl = await dialect.databaseUrl();
      service = await startService({
        databaseUrl,
        checkRule: ({ conditions }) =>
          conditions.rules.flatMap(({ value }, index) =>
            value === '(a+)+$' ? [{ path: `conditions.rules.${index}.value`, message: 'It backtracks' }] : [],
          ),
        listBuiltInRules: (site) => [
          {
            ...{ id: 'sql-union', description: 'A UNION that selects', category: 'sql_injection' },
            ...{ severity: 'high', sensitivity: 'low', score: 5, parts: ['query'] },
            ...(site && {
              site: { idle: site.enabled ? undefined : 'site', exceptions: site.exceptions.length },
            }),
          },
        ],
      });
      token = await service.signIn();
      const second = { email: 'second@example.com', role: 'operator', password: adminPassword };
      expect((await call('POST', '/users', second)).status).toBe(200);
    });
    afterAll(async () => {
      await service.stop();
      await dialect.stop();
    });
    beforeEach(async () => {
      sites += 1;
      const site = {
        name: 'Shop',
        domains: [`shop${sites}.example.com`],
        backend_url: 'http://127.0.0.1:3000',
      };
      siteId = (await call('POST', '/sites', site)).body.id;
    });

    it('puts custom rules into the one own ruleset of the site, in force at once', async () => {
      const first = await call('POST', '/protection/rules', rule());
      const second = await call('POST', '/protection/rules', rule({ name: 'No wget', severity: 'critical' }));
      expect([first.status, second.body.rulesetId]).toEqual([200, first.body.rulesetId]);
      const [set, ...others] = (await call('GET', `/protection/rules?siteId=${siteId}`)).body;
      expect(others).toEqual([]);
      expect((await call('GET', '/protection/rules')).body).toEqual([set]);
      expect(set).toMatchObject({ id: first.body.rulesetId, version: 2, status: 'active' });
      expect(set.rules.map(({ name }: { name: string }) => name)).toEqual(['No curl', 'No wget']);
      // Severity decides before age.
      expect(snapshotSite()?.rules.map(({ name }) => name)).toEqual(['No wget', 'No curl']);
      expect((await call('GET', `/protection/rules/${first.body.id}`)).body).toEqual(first.body);
      expect((await call('GET', `/protection/rules/${set.id}`)).body).toEqual(set);
    });

    it('gives a new site copies of the rules of another, in their order and as its own', async () => {
      const stored = await call('POST', '/protection/rules', rule());
      await call('POST', '/protection/rules', rule({ name: 'No wget' }));
      const source = siteId;
      const site = (domain: string) => ({
        name: domain,
        domains: [domain],
        backend_url: 'http://127.0.0.1:1',
      });
      const made = await call('POST', `/sites?rules_of=${source}`, site(`like${sites}.example.com`));
      expect(made.status).toBe(200);
      siteId = made.body.id;
      expect(snapshotSite()?.rules.map(({ name }) => name)).toEqual(['No curl', 'No wget']);
      const [set] = (await call('GET', `/protection/rules?siteId=${siteId}`)).body;
      expect(set.rules.map((one: { siteId: string }) => one.siteId)).toEqual([siteId, siteId]);
      await call('PUT', `/protection/rules/${set.rules[0].id}`, { name: 'Mine' });
      expect((await call('GET', `/protection/rules/${stored.body.id}`)).body.name).toBe('No curl');
      await call('POST', '/protection/rules', rule({ name: 'Third' }));
      expect((await call('GET', `/protection/rules?siteId=${siteId}`)).body).toHaveLength(1);
      const nowhere = await call('POST', '/sites?rules_of=site_none', site(`none${sites}.example.com`));
      expect(nowhere.status).toBe(422);
      const all = (await call('GET', '/sites')).body as { name: string }[];
      expect(all.map(({ name }) => name)).not.toContain(`none${sites}.example.com`);
    });

    it('takes a rule out of force by its status, its switch or the status of its set', async () => {
      const { body } = await call('POST', '/protection/rules', rule());
      const toggled = await call('PUT', `/protection/rules/${body.id}`, { status: 'inactive' });
      expect(toggled.body).toMatchObject({ status: 'inactive', name: 'No curl', enabled: true });
      expect(snapshotSite()?.rules).toEqual([]);
      await call('PUT', `/protection/rules/${body.id}`, { status: 'active', enabled: false });
      expect(snapshotSite()?.rules).toEqual([]);
      await call('PUT', `/protection/rules/${body.id}`, { enabled: true });
      expect(snapshotSite()?.rules).toHaveLength(1);
      await call('PUT', `/protection/rules/${body.rulesetId}`, { status: 'draft' });
      expect(snapshotSite()?.rules).toEqual([]);
    });

    it('saves a ruleset as its editor sends it: switched, changed and removed rules', async () => {
      const { body: first } = await call('POST', '/protection/rules', rule());
      await call('POST', '/protection/rules', rule({ name: 'Gone' }));
      const set = (await call('GET', `/protection/rules/${first.rulesetId}`)).body;
      const [kept] = set.rules;
      const url = `/protection/rules/${set.id}`;
      const saved = await call('PUT', url, { ...set, rules: [{ ...kept, enabled: false }] });
      expect(saved.body).toMatchObject({
        version: set.version + 1,
        rules: [{ id: kept.id, enabled: false }],
      });
      const stale = await call('PUT', url, { ...set, status: 'draft' });
      expect([stale.status, stale.body.code]).toEqual([409, 'version_conflict']);
      expect(stale.body.message).toContain('admin@example.com changed');
      const strange = await call('PUT', url, { rules: [{ id: 'rule_of_nobody' }] });
      expect([strange.status, strange.body.issues[0].path]).toEqual([422, 'rules.0.id']);
      expect((await call('GET', url)).body).toEqual(saved.body);
    });

    it('says of a stale rule by itself who changed it, and in which fields', async () => {
      const { body: made } = await call('POST', '/protection/rules', rule());
      const url = `/protection/rules/${made.id}`;
      const other = await service.call(
        'PUT',
        `/api${url}`,
        { severity: 'critical', version: 1 },
        await service.signIn('second@example.com'),
      );
      expect(other.status).toBe(200);
      const stale = await call('PUT', url, { name: 'Lost', version: 1 });
      expect([stale.status, stale.body.code]).toEqual([409, 'version_conflict']);
      expect(stale.body.message).toContain('second@example.com changed severity in the meantime');
      expect(stale.body.issues).toMatchObject([
        { path: 'version', message: 'The stored version is 2' },
        { path: 'severity', message: expect.stringContaining('second@example.com changed this at') },
      ]);
      expect((await call('GET', url)).body.name).toBe('No curl');
    });

    it('refuses what the engine cannot run safely, and stores nothing of it', async () => {
      const conditions = { rules: [{ field: 'path', operator: 'regex', value: '(a+)+$' }] };
      const refused = await call('POST', '/protection/rules', rule({ conditions }));
      expect([refused.status, refused.body.code]).toEqual([422, 'unsafe_pattern']);
      expect(refused.body.issues[0].path).toBe('conditions.rules.0.value');
      const { body } = await call('POST', '/protection/rules', rule());
      expect((await call('PUT', `/protection/rules/${body.id}`, { conditions })).status).toBe(422);
      expect((await call('GET', `/protection/rules/${body.id}`)).body).toEqual(body);
      const nowhere = await call('POST', '/protection/rules', rule({ action: 'redirect', redirectTo: '' }));
      expect(nowhere.body.issues[0].path).toBe('redirectTo');
      for (const redirectTo of ['javascript:alert(1)', 'data:text/html,x', 'login', 'https:///x']) {
        const answer = await call('POST', '/protection/rules', rule({ action: 'redirect', redirectTo }));
        expect([redirectTo, answer.status]).toEqual([redirectTo, 422]);
        expect(answer.body.issues[0].path).toBe('redirectTo');
      }
      expect((await call('POST', '/protection/rules', rule({ siteId: 'site_none' }))).status).toBe(422);
    });

    it('keeps the name of a header or a parameter for the gateways, and refuses one that nothing has', async () => {
      const named = (field: string, name: string) =>
        rule({ conditions: { rules: [{ field, name, operator: 'not_equals', value: 'secret' }] } });
      for (const [field, name] of [
        ['header', 'X-Api-Key'],
        ['query', 'größe [a]'],
        ['path', ''],
      ] as const)
        expect([name, (await call('POST', '/protection/rules', named(field, name))).status]).toEqual([
          name,
          200,
        ]);
      expect(snapshotSite()?.rules.map(({ conditions }) => conditions.rules[0]?.name)).toEqual([
        'X-Api-Key',
        'größe [a]',
        '',
      ]);
      for (const [field, name] of [
        ['header', 'X Api Key'],
        ['path', 'id'],
        ['body', 'id'],
      ] as const) {
        const refused = await call('POST', '/protection/rules', named(field, name));
        expect([refused.status, refused.body.issues[0].path]).toEqual([422, 'conditions.rules.0.name']);
      }
    });

    it('changes the rest of a rule that an earlier release kept with a name that nothing has', async () => {
      const stored = async (field: string, name: string) => {
        const { id } = (await call('POST', '/protection/rules', rule())).body;
        const condition = { field, name, operator: 'equals', value: 'x' };
        const storage = await openStorage({ dataDir: service.dataDir, databaseUrl });
        const found = storage.db.selectFrom('config_objects').select('config').where('id', '=', id);
        const { config } = await found.executeTakeFirstOrThrow();
        const old = { ...JSON.parse(config), conditions: { operator: 'AND', rules: [condition] } };
        const change = storage.db.updateTable('config_objects').set({ config: JSON.stringify(old) });
        await change.where('id', '=', id).execute();
        await storage.close();
        return `/protection/rules/${id}`;
      };
      const onPath = await stored('path', 'id');
      const onHeader = await stored('header', 'X Api Key');
      for (const url of [onPath, onHeader])
        expect((await call('PUT', url, { enabled: false })).body).toMatchObject({ enabled: false });
      expect((await call('GET', onPath)).body.conditions.rules).toEqual([
        { field: 'path', operator: 'equals', value: 'x' },
      ]);
      const [named] = (await call('GET', onHeader)).body.conditions.rules;
      expect((await call('PUT', onHeader, { conditions: { rules: [named] } })).status).toBe(422);
      expect(
        (await call('PUT', onPath, { conditions: { rules: [{ ...named, field: 'path' }] } })).status,
      ).toBe(422);
    });

    it('refuses a rule without conditions, however it is sent, and keeps those that are left out', async () => {
      const none = { operator: 'AND', rules: [] };
      const { body } = await call('POST', '/protection/rules', rule());
      const set = `/protection/rules/${body.rulesetId}`;
      for (const refused of [
        await call('POST', '/protection/rules', rule({ conditions: none })),
        await call('POST', '/protection/rules', { ...rule(), conditions: undefined }),
        await call('PUT', `/protection/rules/${body.id}`, { conditions: none }),
        await call('PUT', set, { rules: [{ id: body.id, conditions: none }] }),
      ]) {
        expect([refused.status, refused.body.code]).toEqual([422, 'validation_failed']);
        expect(refused.body.issues[0].path).toContain('conditions');
      }
      const kept = await call('PUT', `/protection/rules/${body.id}`, { conditions: { operator: 'OR' } });
      expect(kept.body.conditions).toEqual({ ...body.conditions, operator: 'OR' });
    });

    it("redirects to the site's first page where a client does not know that a rule can say where to", async () => {
      const created = await call('POST', '/protection/rules', rule({ action: 'redirect' }));
      expect([created.status, created.body.redirectTo]).toEqual([200, '/']);
      const { id } = (await call('POST', '/protection/rules', rule())).body;
      const changed = await call('PUT', `/protection/rules/${id}`, rule({ action: 'redirect' }));
      expect([changed.status, changed.body.redirectTo]).toEqual([200, '/']);
    });

    it('tells the applications of a day apart', async () => {
      const [{ id }] = (await call('GET', '/protection/templates')).body;
      const names = [];
      for (const _time of ['first', 'second', 'third']) {
        names.push((await call('POST', '/protection/templates/apply', { siteId, ruleIds: [id] })).body.name);
      }
      expect(names).toEqual([
        expect.stringMatching(/^Templates of \d{4}-\d\d-\d\d$/),
        `${names[0]}, 2`,
        `${names[0]}, 3`,
      ]);
    });

    it('copies templates into a ruleset of their own', async () => {
      const listed = (await call('GET', '/protection/templates')).body;
      expect(listed.length).toBe(templates.length);
      expect(listed[0]).toMatchObject({
        id: expect.any(String),
        severity: expect.any(String),
        enabled: true,
      });
      const ruleIds = listed.slice(0, 3).map(({ id }: { id: string }) => id);
      const applied = await call('POST', '/protection/templates/apply', { siteId, ruleIds });
      expect(applied.body.rules.map(({ templateId }: { templateId: string }) => templateId)).toEqual(ruleIds);
      expect(snapshotSite()?.rules).toHaveLength(3);
      const none = await call('POST', '/protection/templates/apply', { siteId, ruleIds: [] });
      expect(none.body.issues[0].message).toBe('Please select at least one template rule');
      const unknown = await call('POST', '/protection/templates/apply', { siteId, ruleIds: ['tpl_none'] });
      expect(unknown.body.issues[0].path).toBe('ruleIds.0');
    });

    it('deletes a rule, a ruleset with its rules, and both with their site', async () => {
      const { body: one } = await call('POST', '/protection/rules', rule());
      const { body: two } = await call('POST', '/protection/rules', rule());
      expect((await call('DELETE', `/protection/rules/${one.id}`)).status).toBe(204);
      expect((await call('DELETE', `/protection/rules/${two.rulesetId}`)).status).toBe(204);
      expect((await call('GET', `/protection/rules/${two.id}`)).status).toBe(404);
      const { body: three } = await call('POST', '/protection/rules', rule());
      await call('DELETE', `/sites/${siteId}`);
      for (const id of [three.id, three.rulesetId]) {
        expect((await call('GET', `/protection/rules/${id}`)).status).toBe(404);
      }
    });

    it('lists the built-in rules, with a site as that stands now', async () => {
      const path = '/protection/built-in-rules';
      const [alone] = (await call('GET', path)).body;
      expect(alone).toMatchObject({ id: 'sql-union', sensitivity: 'low', score: 5, parts: ['query'] });
      expect(alone.site).toBeUndefined();
      const onSite = async () => (await call('GET', `${path}?siteId=${siteId}`)).body[0].site;
      expect(await onSite()).toEqual({ exceptions: 0 });
      const changes = { enabled: false, exceptions: [{ rule_id: 'sql-union' }] };
      expect((await call('PUT', `/sites/${siteId}`, changes)).status).toBe(200);
      expect(await onSite()).toEqual({ idle: 'site', exceptions: 1 });
      expect((await call('GET', `${path}?siteId=site_of_nobody`)).status).toBe(404);
    });

    it('carries enabled address lists, without repeats', async () => {
      const list = { name: 'Office', action: 'allow', entries: ['192.0.2.1', '192.0.2.1', '2001:DB8::/32'] };
      const { body } = await call('POST', '/access/lists', list);
      expect(body.entries).toEqual(['192.0.2.1', '2001:db8::/32']);
      const [directive] = service.service.controlPlane.current();
      expect(directive).toMatchObject({ snapshot: { addressLists: [{ id: body.id }] } });
      const bad = await call('PUT', `/access/lists/${body.id}`, { ...list, entries: ['x', '10.0.0.0/99'] });
      expect(bad.body.issues.map(({ path }: { path: string }) => path)).toEqual(['entries.0', 'entries.1']);
      expect((await call('DELETE', `/access/lists/${body.id}`)).status).toBe(204);
    });
  });
}

describe('the templates', () => {
  it('are at least forty, each with a name, an id of its own, and requests on both sides', () => {
    expect(templates.length).toBeGreaterThanOrEqual(40);
    expect(new Set(templates.map(({ id }) => id)).size).toBe(templates.length);
    expect(new Set(templates.map(({ name }) => name)).size).toBe(templates.length);
    for (const { fires, passes, description } of templates) {
      expect(fires.length).toBeGreaterThan(0);
      expect(passes.length).toBeGreaterThan(0);
      expect(description.length).toBeGreaterThan(40);
    }
  });
});
