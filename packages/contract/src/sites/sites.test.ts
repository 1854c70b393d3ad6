import { describe, expect, it } from 'vitest';
import { Domain, domainMatches, patchSite, Site, SiteCreate, UpstreamUrl } from './index.ts';

const minimal = { name: 'Shop', domains: ['Shop.Example.com'], backend_url: 'http://127.0.0.1:3000/' };

function storedSite(fields: object = {}): Site {
  const created = SiteCreate.parse({ ...minimal, ...fields });
  return Site.parse({ ...created, id: 'site_1', version: 3, created_at: '', updated_at: '' });
}

describe('a new site', () => {
  it('needs no more than a name, a domain and an upstream', () => {
    const site = SiteCreate.parse(minimal);
    expect(site).toMatchObject({
      domains: ['shop.example.com'],
      backend_url: 'http://127.0.0.1:3000',
      enabled: true,
      security_level: 'medium',
      health_check_enabled: true,
      response_mode: 'html',
      rate_limit: { enabled: true, window: 60, capacity: 100, refill_interval: 1 },
      cors: { enabled: false, origin_policy: 'list', max_age: 3600, allow_credentials: false },
      bot_protection: { enabled: false, challenge_mode: 'js', difficulty: 'medium', timeout: 300 },
    });
  });

  it('keeps methods and origins as requests carry them, or they would act on nothing', () => {
    const site = SiteCreate.parse({
      ...minimal,
      exceptions: [{ category: 'xss', method: ' post ' }],
      trusted_origins: ['https://Pay.example.com:443', 'http://a.example:8080'],
      cors: { allowed_origins: ['http://a.example:80/', 'https://*.b.example:443', 'http://c.example:443'] },
    });
    expect(site.exceptions[0]?.method).toBe('POST');
    expect(site.trusted_origins).toEqual(['https://pay.example.com', 'http://a.example:8080']);
    expect(site.cors.allowed_origins).toEqual([
      'http://a.example/',
      'https://*.b.example',
      'http://c.example:443',
    ]);
  });

  it('protects by four of the sixteen categories, each blocking at medium', () => {
    const { protection_config } = SiteCreate.parse(minimal);
    const enabled = Object.entries(protection_config).filter(([, choice]) => choice.enabled);
    expect(Object.keys(protection_config)).toHaveLength(16);
    expect(enabled.map(([name]) => name)).toEqual([
      'sql_injection',
      'xss',
      'command_injection',
      'path_traversal',
    ]);
    for (const choice of Object.values(protection_config)) {
      expect(choice).toMatchObject({ mode: 'block', sensitivity: 'medium' });
    }
  });

  it('reports every missing field at once', () => {
    const parsed = SiteCreate.safeParse({});
    expect(parsed.error?.issues.map((issue) => issue.path[0])).toEqual(['name', 'domains', 'backend_url']);
  });
});

describe('a change of a site', () => {
  it('keeps at every depth what the client left out', () => {
    const stored = storedSite({ cors: { enabled: true, allowed_origins: ['https://a.example'] } });
    const patched = patchSite(stored, { name: 'Store', cors: { max_age: 60 } });
    expect(patched.data).toMatchObject({
      name: 'Store',
      cors: { enabled: true, allowed_origins: ['https://a.example'], max_age: 60 },
    });
  });

  it.each([
    { sent: { health_check_enabled: false }, becomes: false },
    { sent: { healthCheck: { enabled: false } }, becomes: false },
    { sent: { health_check_enabled: false, healthCheck: { enabled: true } }, becomes: true },
  ])('reads both names of the health check switch: $sent', ({ sent, becomes }) => {
    const patched = patchSite(storedSite(), sent);
    expect(patched.data?.health_check_enabled).toBe(becomes);
    expect(patched.data?.healthCheck.enabled).toBe(becomes);
  });

  it('cannot reach the prototype', () => {
    patchSite(storedSite(), JSON.parse('{"__proto__":{"polluted":1},"cors":{"__proto__":{"polluted":1}}}'));
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

describe('addresses', () => {
  it.each(['shop.example.com', '*.example.com', '*', 'localhost', 'xn--bcher-kva.example'])(
    '%s is a domain',
    (name) => {
      expect(Domain.safeParse(name).success).toBe(true);
    },
  );

  it.each([
    '',
    'a b',
    'http://a',
    '10.0.0.1',
    'a..b',
    '-a.example',
    '*.*.a',
    'a/b',
    'a:80',
    `${'a'.repeat(64)}.b`,
  ])('"%s" is not a domain', (name) => {
    expect(Domain.safeParse(name).success).toBe(false);
  });

  it.each(['', 'ftp://a', 'http://u:p@a', 'http://a/path', 'http://a?x', 'javascript:alert(1)', '//a'])(
    '"%s" is not an upstream',
    (url) => {
      expect(UpstreamUrl.safeParse(url).success).toBe(false);
    },
  );

  it.each([
    ['shop.example.com', 'shop.example.com', 'exact'],
    ['*.example.com', 'a.b.example.com', 'wildcard'],
    ['*.example.com', 'example.com', undefined],
    ['*.example.com', 'badexample.com', undefined],
    ['*', 'anything', 'any'],
  ] as const)('%s answers for %s: %s', (domain, host, expected) => {
    expect(domainMatches(domain, host)).toBe(expected);
  });
});
