import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDialects } from '../storage/testing/index.ts';
import { adminEmail, adminPassword, startService, type TestService } from '../testing/index.ts';

for (const dialect of testDialects()) {
  const why = dialect.missing ? ` (${dialect.missing})` : '';
  describe.skipIf(dialect.missing !== undefined)(`exceptions of a site on ${dialect.name}${why}`, () => {
    let service: TestService;
    let admin: string;
    let id: string;
    const put = (body: object, as = admin) => service.call('PUT', `/api/sites/${id}`, body, as);
    const get = async (path: string) => (await service.call('GET', `/api/${path}`, undefined, admin)).body;
    const inForce = () => {
      const [directive] = service.service.controlPlane.current();
      if (directive?.type !== 'snapshot') throw new Error('no snapshot');
      return directive.snapshot.sites.find((site) => site.id === id)?.exceptions;
    };
    const search = {
      category: 'sql_injection',
      path: '/search',
      parameter: 'q',
      note: 'people look for SQL',
    };
    const upload = { rule_id: 'sqli-union', path: '/import/*', expires_at: '2030-01-01T00:00:00Z' };

    beforeAll(async () => {
      service = await startService({ databaseUrl: await dialect.databaseUrl() });
      admin = await service.signIn();
      for (const role of ['operator', 'viewer']) {
        const user = { email: `${role}@example.com`, role, password: adminPassword };
        expect((await service.call('POST', '/api/users', user, admin)).status).toBe(200);
      }
      const site = { name: 'Shop', domains: ['shop.example.com'], backend_url: 'http://127.0.0.1:3000' };
      const made = await service.call('POST', '/api/sites', site, admin);
      expect(made.body.exceptions).toEqual([]);
      id = made.body.id;
    });
    afterAll(async () => {
      await service.stop();
      await dialect.stop();
    });

    it('are saved with the site, kept by a client that does not know them, and taken away by an empty list', async () => {
      const saved = await put({ exceptions: [search, upload] });
      expect(saved.status).toBe(200);
      const stored = [search, { ...upload, note: '' }];
      expect((await get(`sites/${id}`)).exceptions).toEqual(stored);
      await put({ description: 'of an older client' });
      expect((await get(`sites/${id}`)).exceptions).toEqual(stored);
      await put({ exceptions: [] });
      expect((await get(`sites/${id}`)).exceptions).toEqual([]);
    });

    it('reach gateways whole, with the moment at which they end', async () => {
      await put({ exceptions: [upload, search] });
      // A gateway holds them against its own clock, so an ended one is still told of.
      await put({ exceptions: [{ ...upload, expires_at: '2020-01-01T00:00:00Z' }, search] });
      expect(inForce()).toEqual([{ ...upload, expires_at: '2020-01-01T00:00:00Z', note: '' }, search]);
    });

    it('are refused with all that is wrong of each, and nothing changes', async () => {
      const before = inForce();
      const refused = await put({
        exceptions: [
          { path: '/everything' },
          { category: 'sql_injection', path: 'no-slash' },
          { category: 'rate_limiting' },
          { rule_id: '', expires_at: 'tomorrow' },
          { rule_id: 'x', parameter: 'p'.repeat(257), note: 'n'.repeat(501) },
        ],
      });
      expect(refused.status).toBe(422);
      expect(refused.body.issues.map(({ path }: { path: string }) => path).sort()).toEqual([
        'exceptions.0',
        'exceptions.1.path',
        'exceptions.2.category',
        'exceptions.3.expires_at',
        'exceptions.3.rule_id',
        'exceptions.4.note',
        'exceptions.4.parameter',
      ]);
      const many = await put({ exceptions: Array.from({ length: 1001 }, () => search) });
      expect(many).toMatchObject({ status: 422, body: { issues: [{ path: 'exceptions' }] } });
      expect(inForce()).toEqual(before);
    });

    it('are for who may change sites', async () => {
      const operator = await service.signIn('operator@example.com');
      expect((await put({ exceptions: [search] }, operator)).status).toBe(200);
      const viewer = await service.signIn('viewer@example.com');
      expect(await put({ exceptions: [] }, viewer)).toMatchObject({
        status: 403,
        body: { code: 'forbidden' },
      });
      expect(inForce()).toEqual([search]);
    });

    it('of a stale version are refused with who changed them', async () => {
      const { version } = await get(`sites/${id}`);
      const operator = await service.signIn('operator@example.com');
      await put({ version, exceptions: [upload] }, operator);
      const stale = await put({ version, exceptions: [search] });
      expect(stale).toMatchObject({
        status: 409,
        body: {
          code: 'version_conflict',
          error: expect.stringContaining('operator@example.com changed exceptions in the meantime'),
        },
      });
      expect(inForce()).toEqual([{ ...upload, note: '' }]);
    });

    it('stand in the audit and in the history with what they were, and come back with a restored version', async () => {
      await put({ exceptions: [search] });
      const { entries } = await get('audit/admin?limit=1');
      expect(entries[0]).toMatchObject({ action: 'site.update', actor: adminEmail, siteId: id });
      expect(JSON.stringify(entries[0])).toContain('exceptions');
      const [newest] = await get('configuration/versions?limit=1');
      const { changes } = await get(`configuration/versions/${newest.version}`);
      expect(changes[0].before.exceptions).toEqual([{ ...upload, note: '' }]);
      expect(changes[0].after.exceptions).toEqual([search]);
      const path = `/api/configuration/versions/${newest.version - 1}/restore`;
      expect((await service.call('POST', path, {}, admin)).status).toBe(200);
      expect(inForce()).toEqual([{ ...upload, note: '' }]);
    });
  });
}
