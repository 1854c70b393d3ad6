import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDialects } from '../storage/testing/index.ts';
import { startService, type TestService } from '../testing/index.ts';
import { upstreamIssue } from './upstream.ts';

const around = { gatewayPorts: [8080, 8443], ownAddresses: ['192.0.2.10', '2001:db8::10'] };

describe('an upstream', () => {
  it.each([
    'http://169.254.169.254',
    'http://2852039166',
    'http://0xa9fea9fe',
    'http://[::ffff:169.254.169.254]',
    'http://[fd00:ec2::254]',
    'http://metadata.google.internal',
    'http://100.100.100.200',
    'http://127.0.0.1:8080',
    'http://localhost:8443',
    'http://[::1]:8080',
    'http://0.0.0.0:8080',
    'http://192.0.2.10:8080',
    'http://[2001:db8::10]:8080',
    'http://[::ffff:127.0.0.1]:8080',
    'http://[::ffff:192.0.2.10]:8080',
    'http://localhost.:8080',
    'http://shop.example.com',
    'http://shop.example.com.',
    'http://shop.example.com:8080',
  ])('is refused at %s', (url) => {
    const { origin } = new URL(url);
    expect(upstreamIssue(origin, ['shop.example.com'], around)?.path).toBe('backend_url');
  });

  it.each([
    'http://127.0.0.1:3000',
    'http://10.0.0.5',
    'https://192.168.1.4:8443',
    'http://backend.internal:8080',
    'http://[fd00::5]:8080',
    'http://shop.example.com:3000',
  ])('is taken at %s', (url) => {
    expect(upstreamIssue(new URL(url).origin, ['shop.example.com'], around)).toBeUndefined();
  });
});

for (const dialect of testDialects()) {
  const why = dialect.missing ? ` (${dialect.missing})` : '';
  describe.skipIf(dialect.missing !== undefined)(`sites on ${dialect.name}${why}`, () => {
    let service: TestService;
    let token: string;
    const call = (method: string, path: string, body?: unknown) => service.call(method, path, body, token);
    const site = (domain: string, more = {}) => ({
      name: domain,
      domains: [domain],
      backend_url: 'http://127.0.0.1:3000',
      ...more,
    });
    beforeAll(async () => {
      service = await startService({ gatewayPorts: [8080], databaseUrl: await dialect.databaseUrl() });
      token = await service.signIn();
    });
    afterAll(async () => {
      await service.stop();
      await dialect.stop();
    });

    it('get every default of the specification', async () => {
      const { body } = await call('POST', '/api/sites', site('defaults.example.com'));
      const categories = Object.keys(body.protection_config);
      expect(categories).toHaveLength(16);
      const on = categories.filter((name) => body.protection_config[name].enabled);
      expect(on).toEqual(['sql_injection', 'xss', 'command_injection', 'path_traversal']);
      expect(body).toMatchObject({
        version: 1,
        enabled: true,
        security_level: 'medium',
        health_check_enabled: true,
        response_mode: 'html',
        rate_limit: { enabled: true, window: 60, capacity: 100, refill_interval: 1 },
        bot_protection: { enabled: false, challenge_mode: 'js', difficulty: 'medium', timeout: 300 },
        cors: { enabled: false, origin_policy: 'list', max_age: 3600 },
      });
    });

    it('ask their upstreams as often as the general settings say, unless they say so themselves', async () => {
      const added = async (name: string, healthCheck?: object) =>
        (await call('POST', '/api/sites', site(`${name}.example.com`, { healthCheck }))).body.healthCheck;
      await call('PUT', '/api/settings/general', { healthCheckInterval: 120 });
      expect(await added('general')).toMatchObject({ interval: 120, path: '/' });
      expect(await added('path-alone', { path: '/alive' })).toMatchObject({ interval: 120, path: '/alive' });
      expect(await added('own-interval', { interval: 5 })).toMatchObject({ interval: 5, path: '/' });
      await call('PUT', '/api/settings/general', { healthCheckInterval: 30 });
    });

    it('take the flat health switch of a client that knows no other', async () => {
      const { body } = await call(
        'POST',
        '/api/sites',
        site('flat.example.com', { health_check_enabled: false }),
      );
      expect([body.health_check_enabled, body.healthCheck.enabled]).toEqual([false, false]);
    });

    it('make no version of a save in which nothing differs, unless it is stale', async () => {
      const made = await call('POST', '/api/sites', site('same.example.com', { description: 'kept' }));
      const url = `/api/sites/${made.body.id}`;
      const newest = async () => (await call('GET', '/api/configuration/versions?limit=1')).body[0].version;
      const before = await newest();
      const same = await call('PUT', url, { version: 1, description: 'kept' });
      expect([same.status, same.body]).toEqual([200, made.body]);
      expect(await newest()).toBe(before);
      expect((await call('PUT', url, { version: 1, description: 'new' })).body.version).toBe(2);
      expect((await call('PUT', url, { version: 1, description: 'new' })).status).toBe(409);
    });

    it('keep what a change leaves out, and refuse a stale version by naming who was before', async () => {
      const made = await call('POST', '/api/sites', site('keep.example.com', { description: 'kept' }));
      const url = `/api/sites/${made.body.id}`;
      const changed = await call('PUT', url, { version: 1, protection_config: { xss: { mode: 'log' } } });
      expect(changed.body).toMatchObject({ version: 2, description: 'kept' });
      expect(changed.body.protection_config.xss).toEqual({
        enabled: true,
        mode: 'log',
        sensitivity: 'medium',
      });
      const stale = await call('PUT', url, { version: 1, name: 'lost' });
      expect([stale.status, stale.body.code]).toEqual([409, 'version_conflict']);
      expect(stale.body.error).toContain('admin@example.com changed protection in the meantime');
      expect(stale.body.issues).toMatchObject([
        { path: 'version', message: 'The stored version is 2' },
        { path: 'protection_config', message: expect.stringContaining('admin@example.com changed this at') },
      ]);
      expect((await call('GET', url)).body).toEqual(changed.body);
    });

    it('share no domain, whoever comes first', async () => {
      const answers = await Promise.all([
        call('POST', '/api/sites', site('Once.example.com')),
        call('POST', '/api/sites', site('once.example.com')),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      const refused = answers.find(({ status }) => status === 409)?.body;
      expect(refused).toMatchObject({ code: 'domain_taken', issues: [{ path: 'domains.0' }] });
      // A wildcard covers the name and shares it with nobody: the exact one counts before it.
      const wildcard = await call('POST', '/api/sites', site('*.example.com'));
      expect(wildcard.status).toBe(200);
      const second = await call('POST', '/api/sites', site('*.Example.com'));
      expect([second.status, second.body.issues]).toEqual([
        409,
        [{ path: 'domains.0', message: expect.stringContaining('already has the domain *.example.com') }],
      ]);
      const deeper = await call('POST', '/api/sites', site('*.once.example.com'));
      expect(deeper.status).toBe(200);
      expect((await call('POST', '/api/sites', site('*'))).status).toBe(200);
      expect((await call('POST', '/api/sites', site('*'))).status).toBe(409);
    });

    it('name all that is wrong at once and store nothing', async () => {
      const before = (await call('GET', '/api/sites')).body.length;
      const bad = { name: '', domains: ['a b'], backend_url: 'ftp://x', security_level: 'huge' };
      const { status, body } = await call('POST', '/api/sites', bad);
      expect(status).toBe(422);
      expect(body.issues.map((issue: { path: string }) => issue.path).sort()).toEqual([
        'backend_url',
        'domains.0',
        'name',
        'security_level',
      ]);
      const circle = await call(
        'POST',
        '/api/sites',
        site('circle.example.com', { backend_url: 'http://localhost:8080' }),
      );
      expect([circle.status, circle.body.issues[0].path]).toEqual([422, 'backend_url']);
      expect((await call('GET', '/api/sites')).body).toHaveLength(before);
    });

    it('change their security level by a call of its own', async () => {
      const { body } = await call('POST', '/api/sites', site('level.example.com'));
      const set = await call('PUT', `/api/sites/${body.id}/security-level`, {
        security_level: 'under_attack',
      });
      expect(set.body).toMatchObject({ security_level: 'under_attack', version: 2 });
    });

    it('are gone once deleted, with their domains free again', async () => {
      const { body } = await call('POST', '/api/sites', site('gone.example.com'));
      expect((await call('DELETE', `/api/sites/${body.id}`)).status).toBe(204);
      expect((await call('GET', `/api/sites/${body.id}`)).status).toBe(404);
      expect((await call('DELETE', `/api/sites/${body.id}`)).status).toBe(404);
      expect((await call('POST', '/api/sites', site('gone.example.com'))).status).toBe(200);
    });
  });
}
