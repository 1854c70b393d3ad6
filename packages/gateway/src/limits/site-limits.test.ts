import { SecuritySettings } from '@portcullis/contract/settings';
import { Site } from '@portcullis/contract/sites';
import { describe, expect, it } from 'vitest';
import { type LimitedRequest, LimitRegistry, SiteLimits } from './index.ts';

const site = (fields: object = {}) =>
  Site.parse({
    id: 'shop',
    version: 1,
    created_at: '',
    updated_at: '',
    name: 'Shop',
    domains: ['*'],
    backend_url: 'http://127.0.0.1:1',
    ...fields,
  });
const limits = (fields: object, security: object = {}, registry = new LimitRegistry()) =>
  new SiteLimits(site(fields), SecuritySettings.parse(security), registry);
const request = (
  fields: Partial<LimitedRequest> & { headers?: Record<string, string> } = {},
): LimitedRequest => ({
  client: 'c1',
  method: 'GET',
  target: '/',
  header: (name) => fields.headers?.[name],
  ...fields,
});

describe('the limits of a site', () => {
  it('are told in the fields of the IETF draft', () => {
    const verdict = limits({}).take(request(), 0);
    expect(verdict.headers).toEqual([
      'RateLimit-Policy',
      '"site";q=100;w=60',
      'RateLimit',
      '"site";r=99;t=1',
    ]);
    expect(verdict.exceeded).toBeUndefined();
  });

  it('cost static files nothing', () => {
    const shop = limits({ rate_limit: { capacity: 1 } });
    for (let file = 0; file < 50; file++)
      expect(shop.take(request({ target: '/a.css' }), 0).headers).toEqual([]);
    expect(shop.take(request(), 0).exceeded).toBeUndefined();
    expect(shop.take(request(), 0).exceeded).toEqual({
      bucket: 'site',
      mode: 'block',
      retryAfterSeconds: 60,
    });
  });

  it('charge for static files who asks for something else under their names', () => {
    const shop = limits({ rate_limit: { capacity: 2, window: 60 } });
    const disguised = request({ target: '/api/users.css' });
    for (let turn = 0; turn < 2; turn++) {
      expect(shop.take(disguised, 0).free).toBe(true);
      shop.wasNoFile('c1', 0);
    }
    expect(shop.take(disguised, 0)).toMatchObject({ free: false, exceeded: undefined });
    expect(shop.take(disguised, 0).exceeded).toBeUndefined();
    expect(shop.take(disguised, 0).exceeded?.bucket).toBe('site');
    expect(shop.take(request({ client: 'c2', target: '/a.css' }), 0).free).toBe(true);
    expect(shop.take(disguised, 60_000).free).toBe(true);
  });

  it('of a path hold for every name below it', () => {
    const shop = limits({ rate_limit: { buckets: [{ name: 'api', path: '/api', capacity: 1 }] } });
    expect(shop.take(request({ target: '/api/x.css' }), 0).exceeded).toBeUndefined();
    expect(shop.take(request({ target: '/api/y.css' }), 0).exceeded?.bucket).toBe('api');
  });

  it('count a path by itself', () => {
    const shop = limits({ rate_limit: { buckets: [{ name: 'login', path: '/login', capacity: 2 }] } });
    const login = request({ method: 'POST', target: '/login' });
    expect(shop.take(login, 0).headers[3]).toBe('"site";r=99;t=1, "login";r=1;t=30');
    shop.take(login, 0);
    expect(shop.take(login, 0).exceeded?.bucket).toBe('login');
    expect(shop.take(request(), 0).exceeded).toBeUndefined();
  });

  it('count a path however it is spelled', () => {
    const shop = limits({ rate_limit: { buckets: [{ name: 'login', path: '/login', capacity: 2 }] } });
    const spellings = ['/%6cogin', '//login', '/./login', '/a/../login', '/LOGIN'];
    const exceeded = spellings.map(
      (target) => shop.take(request({ method: 'POST', target }), 0).exceeded?.bucket,
    );
    expect(exceeded).toEqual([undefined, undefined, 'login', 'login', 'login']);
  });

  it('count by a header where one is named, whatever the address', () => {
    const shop = limits({ rate_limit: { buckets: [{ name: 'key "x"', header: 'X-Api-Key', capacity: 1 }] } });
    const keyed = (client: string, key: string) => request({ client, headers: { 'x-api-key': key } });
    expect(shop.take(keyed('c1', 'k1'), 0).exceeded).toBeUndefined();
    expect(shop.take(keyed('c2', 'k1'), 0).exceeded?.bucket).toBe('key _x_');
    expect(shop.take(keyed('c1', 'k2'), 0).exceeded).toBeUndefined();
  });

  it.each([
    ['low', 'block', 200],
    ['medium', 'challenge', 100],
    ['high', 'log', 50],
  ] as const)('let the category at %s allow %s beyond %i a minute', (sensitivity, mode, allowed) => {
    const rate_limiting = { enabled: true, mode, sensitivity };
    const shop = limits({ rate_limit: { enabled: false }, protection_config: { rate_limiting } });
    for (let count = 0; count < allowed; count++) expect(shop.take(request(), 0).exceeded).toBeUndefined();
    expect(shop.take(request(), 0).exceeded).toMatchObject({ bucket: 'installation', mode });
  });

  it('end with the switch in the security settings', () => {
    const shop = limits({ rate_limit: { capacity: 1 } }, { rateLimitEnabled: false });
    for (let count = 0; count < 5; count++)
      expect(shop.take(request(), 0)).toEqual({ headers: [], free: false, exceeded: undefined });
  });

  it('outlive a reload that leaves them as they are, and no other', () => {
    const registry = new LimitRegistry();
    const compile = (fields: object) => {
      registry.begin();
      const compiled = limits(fields, {}, registry);
      registry.settle();
      return compiled;
    };
    compile({ rate_limit: { capacity: 1 } }).take(request(), 0);
    expect(compile({ rate_limit: { capacity: 1 }, name: 'Store' }).take(request(), 0).exceeded).toBeDefined();
    expect(compile({ rate_limit: { capacity: 2 } }).take(request(), 0).exceeded).toBeUndefined();
    expect(compile({ rate_limit: { capacity: 1 } }).take(request(), 0).exceeded).toBeUndefined();
  });
});
