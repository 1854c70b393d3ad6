import { Site } from '@portcullis/contract/sites';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { conditionsOf } from '../alerts/index.ts';
import { httpReceiver } from '../notifications/testing/index.ts';
import { selfSigned, startService } from '../testing/index.ts';
import { presentCertificate, type StoredCertificate } from './index.ts';
import { CertificateWatch, certificateWarning, issuedFacts, namesWarning } from './warnings.ts';

const dayMs = 86_400_000;
const now = Date.parse('2026-06-01T12:00:00Z');
const siteOf = (fields: object = {}) =>
  Site.parse({
    ...{ id: 'site_1', name: 'Shop', domains: ['shop.example.com', 'www.shop.example.com'] },
    ...{ backend_url: 'http://127.0.0.1:3000', version: 1, created_at: '', updated_at: '' },
    ssl: { enabled: true },
    ...fields,
  });
const failedAt = {
  step: 'validation' as const,
  status: 'failed' as const,
  detail: 'Let the authority look at shop.example.com: connection refused',
  time: new Date(now - 60_000).toISOString(),
};

/** Of a life in days, of which so many are left. */
async function certificate(life: number, left: number, fields: Partial<StoredCertificate> = {}) {
  const until = now + left * dayMs;
  const made = await selfSigned(['shop.example.com'], { from: until - life * dayMs, until });
  const stored: StoredCertificate = {
    ...{ source: 'uploaded', chain: made.certificate, sealedKey: '', steps: [], failures: 0 },
    ...fields,
  };
  return stored;
}

const warned = (stored: StoredCertificate, site = siteOf(), opens = true) => {
  const warning = certificateWarning(site, { stored, facts: issuedFacts(stored) }, opens, now);
  const certificates = warning ? [warning] : [];
  const [condition] = conditionsOf({ sample: undefined, sites: [], healthy: () => undefined, certificates });
  return condition && [condition.type, condition.message];
};

describe('an alert of a certificate', () => {
  it('is critical where visitors meet a warning: it ended, has not begun, or nobody can open its key', async () => {
    expect(warned(await certificate(90, -2))).toEqual([
      'critical',
      'Certificate of Shop (shop.example.com): it ended on 2026-05-30',
    ]);
    expect(warned(await certificate(90, 91))).toEqual([
      'critical',
      'Certificate of Shop (shop.example.com): it begins on 2026-06-02',
    ]);
    const lost = warned(await certificate(90, 60), siteOf(), false);
    expect(lost).toEqual(['critical', expect.stringContaining('private key cannot be opened')]);
  });

  it('is critical where the first one could not be issued, with the words of the authority', async () => {
    const none = { source: 'acme' as const, chain: '', sealedKey: '', nextAttemptAt: now };
    expect(warned({ ...none, failures: 2, steps: [failedAt] })).toEqual([
      'critical',
      `Certificate of Shop (shop.example.com): none could be issued. ${failedAt.detail}`,
    ]);
    expect(warned({ ...none, failures: 0, steps: [] })).toBeUndefined();
  });

  it.each([
    { life: 90, left: 14.1, is: undefined },
    { life: 90, left: 13.9, is: 'it ends on 2026-06-15' },
    { life: 47, left: 13.9, is: 'it ends on 2026-06-15' },
    { life: 6, left: 2.1, is: undefined },
    { life: 6, left: 1.9, is: 'it ends on 2026-06-03' },
  ])('warns of $left days left of $life: $is', async ({ life, left, is }) => {
    const stored = await certificate(life, left);
    expect(warned(stored)).toEqual(
      is === undefined ? undefined : ['warning', `Certificate of Shop (shop.example.com): ${is}`],
    );
    const { state } = presentCertificate(
      {
        ...{ id: 'c', parentId: 'site_1', version: 1, createdAt: 0, updatedAt: 0, updatedBy: '' },
        value: stored,
      },
      now,
    );
    expect(state).toBe(is === undefined ? 'valid' : 'expiring');
  });

  it('leaves the renewal that is planned its time, and no longer', async () => {
    const automatic = siteOf({ ssl: { enabled: true, autoCert: true } });
    const planned = (at: number) => certificate(6, 1.9, { source: 'acme', nextAttemptAt: at });
    expect(warned(await planned(now + 600_000), automatic)).toBeUndefined();
    expect(warned(await planned(now + 600_000), siteOf())).toEqual(['warning', expect.any(String)]);
    expect(warned(await planned(now - 2 * 3_600_000), automatic)).toEqual(['warning', expect.any(String)]);
  });

  it('warns of a renewal that failed, however long the old one lasts', async () => {
    const automatic = siteOf({ ssl: { enabled: true, autoCert: true } });
    const failed = { source: 'acme' as const, failures: 1, steps: [failedAt], nextAttemptAt: now + 60_000 };
    expect(warned(await certificate(90, 30, failed), automatic)).toEqual([
      'warning',
      `Certificate of Shop (shop.example.com): it could not be renewed and ends on 2026-07-01. ${failedAt.detail}`,
    ]);
    const both = warned(await certificate(90, 10, failed), automatic);
    expect(both).toEqual(['warning', expect.stringMatching(/ends on 2026-06-11\. It could not be renewed/)]);
  });

  it('does not come where nobody is served by it', async () => {
    const over = await certificate(90, -2);
    expect(warned(over, siteOf({ enabled: false }))).toBeUndefined();
    expect(warned(over, siteOf({ ssl: { enabled: false } }))).toBeUndefined();
  });
});

describe('an alert of names without a certificate', () => {
  const text = (site: Site, own: StoredCertificate | undefined, names: string[]) =>
    namesWarning(site, own, new Set(names))?.text;

  it('names the domains that came after an uploaded one, whoever has one that fits', async () => {
    const own = await certificate(90, 60);
    expect(text(siteOf(), own, ['shop.example.com'])).toBe(
      'HTTPS is on and none is for www.shop.example.com',
    );
    expect(text(siteOf(), own, ['shop.example.com', '*.shop.example.com'])).toBeUndefined();
    const any = siteOf({ domains: ['shop.example.com', '*'] });
    expect(text(any, own, ['shop.example.com'])).toBeUndefined();
    expect(text(any, undefined, ['shop.example.com'])).toBe('HTTPS is on and none is for any other host');
  });

  it('comes where HTTPS was switched on without one, and not where one is asked for or nobody is served', async () => {
    expect(text(siteOf(), undefined, [])).toBe(
      'HTTPS is on and none is for shop.example.com, www.shop.example.com',
    );
    const automatic = { ssl: { enabled: true, autoCert: true } };
    expect(text(siteOf(automatic), undefined, [])).toBeUndefined();
    expect(text(siteOf(automatic), await certificate(90, 60), [])).toMatch(/none is for shop/);
    expect(text(siteOf({ enabled: false }), undefined, [])).toBeUndefined();
    expect(text(siteOf({ ssl: { enabled: false } }), undefined, [])).toBeUndefined();
  });

  it('is told by the watch, after what is graver and before what is not', async () => {
    const kept = { id: 'c', version: 1, createdAt: 0, updatedAt: 0, updatedBy: '' };
    const codes = async (left: number) => {
      const value = await certificate(90, left);
      const watch = new CertificateWatch({
        now: () => now,
        log: { info: () => {}, warn: () => {}, error: () => {} },
        sites: () => [siteOf(), siteOf({ id: 'site_2', domains: ['blog.example.com'] })],
        stored: async () => [{ ...kept, parentId: 'site_1', value }],
        opens: () => true,
      });
      await watch.read();
      return watch.warnings().map(({ siteId, code }) => [siteId, code]);
    };
    expect(await codes(10)).toEqual([
      ['site_1', 'names'],
      ['site_2', 'names'],
    ]);
    expect(await codes(-2)).toEqual([
      ['site_1', 'expired'],
      ['site_2', 'names'],
    ]);
  });
});

describe('the watch over certificates', () => {
  const logged: string[] = [];
  afterEach(() => void logged.splice(0));

  it('knows what was read last, also where it cannot be read now', async () => {
    const over = await certificate(90, -2);
    let away = false;
    const watch = new CertificateWatch({
      now: () => now,
      log: { info: () => {}, warn: () => {}, error: (message) => void logged.push(message) },
      sites: () => [siteOf(), siteOf({ id: 'site_2', name: 'Blog', domains: ['shop.example.com'] })],
      stored: async () => {
        if (away) throw new Error('The database is away');
        const kept = { version: 1, createdAt: 0, updatedAt: 0, updatedBy: '' };
        return [{ ...kept, id: 'certificate_1', parentId: 'site_1', value: over }];
      },
      opens: () => true,
    });
    expect(watch.warnings()).toEqual([]);
    await watch.read();
    expect(watch.warnings()).toMatchObject([{ siteId: 'site_1', code: 'expired' }]);
    away = true;
    await watch.read();
    expect(watch.warnings()).toHaveLength(1);
    expect(logged).toEqual(['Certificates could not be looked at']);
  });

  it('reads a chain once for each version of it', async () => {
    const [sound, over] = [await certificate(90, 60), await certificate(90, -2)];
    let kept = { version: 1, value: sound };
    const watch = new CertificateWatch({
      now: () => now,
      log: { info: () => {}, warn: () => {}, error: () => {} },
      sites: () => [siteOf({ domains: ['shop.example.com'] })],
      stored: async () => [
        { ...{ id: 'c', parentId: 'site_1', createdAt: 0, updatedAt: 0, updatedBy: '' }, ...kept },
      ],
      opens: () => true,
    });
    const codes = async () => {
      await watch.read();
      return watch.warnings().map(({ code }) => code);
    };
    expect(await codes()).toEqual([]);
    kept = { version: 1, value: over };
    expect(await codes()).toEqual([]);
    kept = { version: 2, value: over };
    expect(await codes()).toEqual(['expired']);
  });
});

it('a service tells Monitoring and a chat of a certificate that comes to its end, with its site', async () => {
  let ahead = 0;
  const chat = await httpReceiver();
  const service = await startService({ now: () => Date.now() + ahead });
  try {
    const token = await service.signIn();
    const shop = { name: 'Shop', domains: ['shop.example.com'], backend_url: 'http://127.0.0.1:3000' };
    const { id } = (await service.call('POST', '/api/sites', { ...shop, ssl: { enabled: true } }, token))
      .body;
    const { certificate: chain, privateKey } = await selfSigned(shop.domains);
    await service.call('PUT', `/api/sites/${id}/certificate`, { certificate: chain, privateKey }, token);
    const slack = { enabled: true, webhookUrl: chat.url };
    await service.call('PUT', '/api/notifications/settings', { slack }, token);
    ahead = 80 * dayMs;
    const signedIn = await service.signIn();
    const named = /Certificate of Shop \(shop\.example\.com\): it ends on \d/;
    await vi.waitFor(() => expect(chat.received.map(({ body }) => body.text).join()).toMatch(named), {
      timeout: 45_000,
      interval: 100,
    });
    const { body } = await service.call('GET', '/api/monitoring/alerts', undefined, signedIn);
    const about = { type: 'warning', status: 'active', siteId: id, message: expect.stringMatching(named) };
    expect(body).toContainEqual(expect.objectContaining(about));
  } finally {
    await service.stop();
    await chat.stop();
  }
}, 60_000);
