import { AddressListCreate } from '@portcullis/contract/access';
import { ConfigurationDocument } from '@portcullis/contract/configuration';
import { NotificationSettings } from '@portcullis/contract/notifications';
import { CustomRuleCreate } from '@portcullis/contract/protection';
import { GeneralSettings, SecuritySettings } from '@portcullis/contract/settings';
import { SiteCreate } from '@portcullis/contract/sites';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { testDialects } from '../storage/testing/index.ts';
import { adminPassword, selfSigned, startService, type TestService } from '../testing/index.ts';
import { leftAtDefault, unlikeDefault } from './testing/index.ts';

const domains = ['shop.example.com', '*.shop.example.com'];

/** Fields that have a form, or hang together. */
const known = {
  domains,
  backend_url: 'https://192.0.2.1:8443',
  'further.0.url': 'http://192.0.2.2:3000',
  ca: '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n',
  allowed_origins: ['https://app.example.com', 'https://*.example.org'],
  allowed_headers: ['X-Api-Key'],
  'buckets.0.header': 'X-Api-Key',
  exempt_addresses: ['192.0.2.0/24', '2001:db8::/32'],
  trusted_origins: ['https://app.example.com'],
  'cors.allowed_methods': ['PATCH'],
  allowed_methods: ['PROPFIND'],
  'temporary.0.entry': '198.51.100.7',
  expires_at: '2030-01-01T00:00:00Z',
  allowedOrigins: ['https://console.example.com'],
  trustedProxies: ['10.0.0.0/8'],
  timezone: 'Asia/Kolkata',
  // Would have the administrator of the test set up a second factor first.
  require2FA: false,
  address: 'ops@example.com, desk@example.com',
  senderEmail: 'gate@example.com',
  smtpHost: 'mail.example.com',
  apiUrl: 'https://api.example.com/send',
  webhookUrl: 'https://hooks.example.com/services/T0',
  keySet: true,
  webhookUrlSet: true,
  entries: ['192.0.2.1', '198.51.100.0/24', '2001:db8::1'],
  'conditions.rules': [{ field: 'header', name: 'X-Client', operator: 'equals', value: 'curl' }],
};

const redirect = { action: 'redirect', redirectTo: '/elsewhere' };

describe.each(testDialects())('a configuration that uses every field, on $name', (dialect) => {
  const services: TestService[] = [];
  const install = async (email: string) => {
    const databaseUrl = await dialect.databaseUrl();
    const service = await startService({ databaseUrl, bootstrapAdmin: { email, password: adminPassword } });
    services.push(service);
    const token = await service.signIn(email);
    const ask = async (method: string, path: string, body?: unknown) => {
      const answer = await service.call(method, `/api${path}`, body, token);
      expect([path, answer.body?.issues, answer.status < 300]).toEqual([path, undefined, true]);
      return answer.body;
    };
    const exported = async () => {
      const headers = { authorization: `Bearer ${token}` };
      const text = await (await fetch(`${service.base}/api/configuration/export`, { headers })).text();
      return text.replaceAll(/^#.*\n/gm, '').trim();
    };
    return { ask, exported };
  };
  let here: Awaited<ReturnType<typeof install>>;
  let there: Awaited<ReturnType<typeof install>>;
  beforeAll(async () => {
    here = await install('ada@example.com');
    there = await install('grace@example.com');
  });
  afterAll(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await dialect.stop();
  });

  it('is the same text after it went to another installation, but for certificates', async () => {
    const { ask } = here;
    const made = await selfSigned(domains);
    const certificate = { certificate: made.certificate, privateKey: made.privateKey };
    const site = await ask('POST', '/sites', unlikeDefault(SiteCreate, known));
    await ask('PUT', `/sites/${site.id}/certificate`, certificate);
    const own = { ...known, siteId: site.id };
    const rule = await ask(
      'POST',
      '/protection/rules',
      unlikeDefault(CustomRuleCreate, { ...own, ...redirect }),
    );
    const templates = (await ask('GET', '/protection/templates')) as { id: string }[];
    const ruleIds = templates.slice(0, 7).map(({ id }) => id);
    await ask('POST', '/protection/templates/apply', { siteId: site.id, ruleIds });
    await ask('PUT', `/protection/rules/${rule.rulesetId}`, { status: 'inactive' });
    const list = await ask('POST', '/access/lists', unlikeDefault(AddressListCreate, own));
    const { entries: _entries, ...described } = unlikeDefault(AddressListCreate, own) as AddressListCreate;
    await ask('PUT', `/access/lists/${list.id}`, { ...described, description: 'Saved without its entries' });
    const many = Array.from({ length: 600 }, (_, n) => `10.0.${n >> 8}.${n & 255}`);
    await ask('POST', '/access/lists', { name: 'Feed', action: 'allow', entries: many });
    await ask('PUT', '/notifications/settings', unlikeDefault(NotificationSettings, known));
    await ask('PUT', '/settings/general', unlikeDefault(GeneralSettings, known));
    await ask('PUT', '/settings/security', unlikeDefault(SecuritySettings, known));

    const file = await here.exported();
    expect(leftAtDefault(ConfigurationDocument, parse(file))).toEqual([
      'settings.security.require2FA',
      'secrets',
    ]);
    const imported = await there.ask('POST', '/configuration/import', { document: file, apply: true });
    expect(imported.notes).toEqual([expect.stringContaining('upload it again')]);
    const withoutCertificates = (text: string) => {
      const { sites, ...rest } = parse(text);
      return { ...rest, sites: sites.map(({ certificate: _c, ...one }: Record<string, unknown>) => one) };
    };
    expect(withoutCertificates(await there.exported())).toEqual(withoutCertificates(file));
    await there.ask('PUT', `/sites/${site.id}/certificate`, certificate);
    expect(await there.exported()).toBe(file);
    const again = await there.ask('POST', '/configuration/import', { document: file, apply: true });
    expect([again.changes, await there.exported()]).toEqual([[], file]);
  }, 60_000);
});
