import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSecureContext } from 'node:tls';
import type { ConfigSnapshot } from '@portcullis/contract/link';
import { Site } from '@portcullis/contract/sites';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { newObject } from '../configuration/index.ts';
import {
  type AcmeServer,
  adminEmail,
  gatewayReport,
  pebbleMissing,
  selfSigned,
  startAcmeServer,
  startService,
  type TestService,
} from '../testing/index.ts';
import { presentCertificate, type StoredCertificate } from './index.ts';
import { isDue } from './issuer.ts';
import { renewalTime, retryTime } from './schedule.ts';

const dayMs = 86_400_000;
const shop = {
  name: 'Shop',
  domains: ['shop.example.com', 'www.shop.example.com'],
  backend_url: 'http://127.0.0.1:3000',
};
const services: TestService[] = [];
afterEach(async () => {
  for (const service of services.splice(0)) await service.stop();
});
async function start(options: Parameters<typeof startService>[0] = {}) {
  const service = await startService(options);
  services.push(service);
  return { ...service, token: await service.signIn() };
}
function snapshotOf(service: TestService): ConfigSnapshot {
  const [directive] = service.service.controlPlane.current();
  if (directive?.type !== 'snapshot') throw new Error('no snapshot');
  return directive.snapshot;
}

describe('the time of the next attempt', () => {
  it.each([
    [0, 59],
    [0.5, 60],
    [0.999_999, 61],
  ])('lies around two thirds of a life of 90 days (chance %d)', (random, days) => {
    expect(renewalTime(0, 90 * dayMs, random) / dayMs).toBeCloseTo(days, 2);
  });

  it('backs off to a day, never all at once', () => {
    const pauses = [1, 2, 3, 8, 20].map((failures) => retryTime(0, failures, 0.5) / 60_000);
    expect(pauses).toEqual([10, 20, 40, 1280, 1440]);
    expect(retryTime(0, 1, 0)).toBe(480_000);
  });

  it('comes for sites that want one', () => {
    const site = (fields: object) =>
      Site.parse({ id: 's', version: 1, created_at: '', updated_at: '', ...shop, ...fields });
    const auto = { ssl: { enabled: true, autoCert: true } };
    const failed: StoredCertificate = {
      source: 'acme',
      chain: '',
      sealedKey: '',
      steps: [],
      failures: 1,
      nextAttemptAt: 5,
    };
    expect(isDue(site(auto), undefined, 0)).toBe(true);
    expect(isDue(site({}), undefined, 0)).toBe(false);
    expect(isDue(site({ ...auto, enabled: false }), undefined, 0)).toBe(false);
    expect(isDue(site(auto), failed, 4)).toBe(false);
    expect(isDue(site(auto), failed, 5)).toBe(true);
    expect(isDue(site(auto), { ...failed, source: 'uploaded' }, 9)).toBe(false);
  });

  it('comes at once where the key of what is there cannot be opened any more', async () => {
    const auto = { ssl: { enabled: true, autoCert: true } };
    const site = Site.parse({ id: 's', version: 1, created_at: '', updated_at: '', ...shop, ...auto });
    const { certificate: chain } = await selfSigned(shop.domains);
    const good: StoredCertificate = {
      source: 'acme',
      chain,
      sealedKey: 'sealed by another',
      steps: [],
      failures: 0,
      nextAttemptAt: Date.now() + dayMs,
    };
    expect(isDue(site, good, Date.now())).toBe(false);
    expect(isDue(site, good, Date.now(), false)).toBe(true);
    expect(isDue(site, { ...good, failures: 1 }, Date.now(), false)).toBe(false);
    // Planned while the clock was years ahead.
    const late = { ...good, nextAttemptAt: Date.now() + 3650 * dayMs };
    expect(isDue(site, late, Date.now())).toBe(false);
    expect(isDue(site, late, Date.now() + 70 * dayMs)).toBe(true);
    expect(isDue(site, { ...late, failures: 1 }, Date.now())).toBe(true);
    const stored = newObject('c', 's', good, { email: '' }, 0);
    expect(presentCertificate(stored, Date.now()).state).toBe('valid');
    expect(presentCertificate(stored, Date.now(), false).state).toBe('failed');
  });
});

/** An authority that has no time: RFC 8555 §6.6. */
async function startBusyAuthority(status: number, retryAfter: string) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const at = (path: string) => `http://${request.headers.host}${path}`;
    response.setHeader('Replay-Nonce', 'bm9uY2U');
    response.setHeader('Content-Type', 'application/json');
    if (request.url === '/dir') {
      const directory = { newNonce: at('/nonce'), newAccount: at('/account'), newOrder: at('/order') };
      return void response.end(JSON.stringify(directory));
    }
    if (request.url === '/nonce') return void response.end();
    response.writeHead(status, { 'Retry-After': retryAfter });
    response.end(
      JSON.stringify({ type: 'urn:ietf:params:acme:error:rateLimited', detail: 'too many orders' }),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    asked,
    authority: { directoryUrl: `http://127.0.0.1:${port}/dir` },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe('a site that is deleted while the authority works', () => {
  it('gets no certificate, and leaves none behind that gateways would serve', async () => {
    const asked = Promise.withResolvers<() => void>();
    const server = createServer((_request, response) => {
      asked.resolve(() => response.writeHead(400).end());
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const service = await start({ acme: { directoryUrl: `http://127.0.0.1:${port}/dir` } });
    const { call, token } = service;
    const { id } = (await call('POST', '/api/sites', shop, token)).body;
    const issued = call('POST', `/api/sites/${id}/certificate/issue`, undefined, token);
    const answer = await asked.promise;
    expect((await call('DELETE', `/api/sites/${id}`, undefined, token)).status).toBe(204);
    answer();
    expect((await issued).status).toBe(404);
    expect((await call('GET', '/api/certificates', undefined, token)).body).toEqual([]);
    expect((await call('DELETE', `/api/sites/${id}/certificate`, undefined, token)).status).toBe(404);
    server.closeAllConnections();
    server.close();
  });
});

describe('an authority that has no time', () => {
  it.each([
    [429, '7200', 7200],
    [503, new Date(Date.now() + 86_400_000).toUTCString(), 86_000],
    [429, '99999999999', 7 * 86_400],
  ])('is not asked again before it says: %d, %s', async (status, retryAfter, seconds) => {
    await using busy = await startBusyAuthority(status, retryAfter);
    const service = await start({ acme: busy.authority });
    const { call, token } = service;
    const { id } = (await call('POST', '/api/sites', shop, token)).body;
    const { body } = await call('POST', `/api/sites/${id}/certificate/issue`, undefined, token);
    expect(body.steps).toMatchObject([{ step: 'account', status: 'failed' }]);
    expect(body.steps[0].detail).toMatch(/: too many orders \(it asks to wait \d+ min\)$/);
    const wait = (Date.parse(body.renewAt) - Date.now()) / 1000;
    expect(wait).toBeGreaterThan(seconds - 120);
    expect(wait).toBeLessThan(8 * 86_400);
    expect(busy.asked.filter((path) => path === '/account')).toHaveLength(1);
  });
});

describe('a certificate that a person asks for', () => {
  it('is told of under their name, and after a failure not asked for again at once', async () => {
    await using busy = await startBusyAuthority(503, '1');
    let ahead = 0;
    const service = await start({ acme: busy.authority, now: () => Date.now() + ahead });
    const { call, token } = service;
    const { id } = (await call('POST', '/api/sites', shop, token)).body;
    const issue = () => call('POST', `/api/sites/${id}/certificate/issue`, undefined, token);
    const first = await issue();
    const [entry] = (await call('GET', '/api/audit?limit=1', undefined, token)).body;
    expect(entry).toMatchObject({ action: 'certificate.fail', actor: adminEmail });
    const [version] = (await call('GET', '/api/configuration/versions?limit=1', undefined, token)).body;
    expect(version).toMatchObject({ author: adminEmail });
    const again = await issue();
    expect(again.status).toBe(429);
    const told = /from (\S+) on$/.exec(again.body.error)?.[1] ?? '';
    expect(Date.parse(told)).toBeLessThanOrEqual(Date.parse(first.body.renewAt));
    ahead = 900_000;
    expect((await issue()).status).toBe(200);
  });
});

const missing = pebbleMissing();
describe.skipIf(missing !== undefined)(
  `certificates from a real authority${missing ? ` (${missing})` : ''}`,
  () => {
    let authority: AcmeServer;
    let gateway: Server;
    let answering: TestService | undefined;
    let held: Promise<void> | undefined;
    beforeAll(async () => {
      // Answers from the snapshot alone, as every gateway does.
      gateway = createServer((request, response) => {
        const answer = () => {
          const challenges = answering ? snapshotOf(answering).acmeChallenges : [];
          const found = challenges.find(
            ({ token }) => request.url === `/.well-known/acme-challenge/${token}`,
          );
          response.writeHead(found ? 200 : 404).end(found?.keyAuthorization);
        };
        void (held ?? Promise.resolve()).then(answer);
      }).listen(0, '127.0.0.1');
      await once(gateway, 'listening');
      authority = await startAcmeServer((gateway.address() as AddressInfo).port);
    });
    afterAll(async () => {
      await authority.stop();
      gateway.close();
    });

    it('are issued for every name, served with their key, and leave no challenge open', async () => {
      const service = await start({ acme: authority.authority });
      answering = service;
      const { call, token } = service;
      const { id } = (await call('POST', '/api/sites', shop, token)).body;
      const release = Promise.withResolvers<void>();
      held = release.promise;
      const asked = call('POST', `/api/sites/${id}/certificate/issue`, undefined, token);
      await vi.waitFor(
        async () => {
          const [pending] = (await call('GET', '/api/certificates', undefined, token)).body;
          expect(pending).toMatchObject({ siteId: id, state: 'pending' });
          expect(pending.steps.at(-1)).toMatchObject({ step: 'challenge', status: 'done' });
        },
        { timeout: 45_000, interval: 100 },
      );
      release.resolve();
      const issued = await asked;
      expect(issued.body).toMatchObject({ source: 'acme', state: 'valid' });
      expect([...issued.body.domains].sort()).toEqual([...shop.domains].sort());
      const steps = issued.body.steps as { step: string; status: string }[];
      expect(steps.every(({ status }) => status === 'done')).toBe(true);
      expect(steps.map(({ step }) => step)).toEqual(
        expect.arrayContaining([
          'account',
          'order',
          'authorization',
          'challenge',
          'validation',
          'finalize',
          'download',
        ]),
      );
      const { certificates, acmeChallenges } = snapshotOf(service);
      expect(acmeChallenges).toEqual([]);
      const [{ chain, privateKey } = { chain: '', privateKey: '' }] = certificates;
      createSecureContext({ cert: chain, key: privateKey });
      expect(Date.parse(issued.body.renewAt)).toBeLessThan(Date.parse(issued.body.notAfter));
    });

    it('name a gateway that refuses the configuration with the answer, which others have', async () => {
      const service = await start({ acme: authority.authority });
      answering = service;
      const { call, token } = service;
      const { controlPlane } = service.service;
      const refuse = (version: number) => {
        const refused = { version, reason: 'the disk is full' };
        controlPlane.acceptReport(gatewayReport({ gatewayId: 'edge-b', configVersion: 1, refused }));
      };
      const { id } = (await call('POST', '/api/sites', shop, token)).body;
      const ended = controlPlane.subscribe((directive) => {
        if (directive.type === 'snapshot') refuse(directive.snapshot.version);
      });
      const { body } = await call('POST', `/api/sites/${id}/certificate/issue`, undefined, token);
      ended();
      expect(body.state).toBe('valid');
      const proven = (body.steps as { step: string; detail: string }[]).filter(
        ({ step }) => step === 'challenge',
      );
      expect(proven.map(({ detail }) => detail).sort()).toEqual(
        shop.domains.map((domain) =>
          expect.stringMatching(
            `^Answer for ${domain} on port 80. edge-b refuses the configuration with the answer: the disk is full$`,
          ),
        ),
      );
    });

    it('come by themselves once a site wants one', async () => {
      const service = await start({ acme: authority.authority });
      answering = service;
      await service.call(
        'POST',
        '/api/sites',
        { ...shop, ssl: { enabled: true, autoCert: true } },
        service.token,
      );
      await vi.waitFor(() => expect(snapshotOf(service).certificates).toHaveLength(1), {
        timeout: 45_000,
        interval: 100,
      });
    });

    it('that fail say at which step and why, and the last good one stays in force', async () => {
      const service = await start({ acme: authority.authority });
      answering = service;
      const { call, token } = service;
      const { id } = (await call('POST', '/api/sites', shop, token)).body;
      await call('POST', `/api/sites/${id}/certificate/issue`, undefined, token);
      const before = snapshotOf(service).certificates;
      answering = undefined;
      await call('PUT', `/api/sites/${id}`, { domains: ['new.example.com'] }, token);
      const failed = await call('POST', `/api/sites/${id}/certificate/issue`, undefined, token);
      const last = failed.body.steps.at(-1);
      expect(last).toMatchObject({ step: 'validation', status: 'failed' });
      expect(last.detail).toMatch(/new\.example\.com.*404/s);
      expect(snapshotOf(service).certificates).toEqual(before);
      expect(Date.parse(failed.body.renewAt)).toBeGreaterThan(Date.now());
      const entries = await call('GET', '/api/audit?limit=5', undefined, token);
      expect(JSON.stringify(entries.body)).toContain('No certificate for Shop');
    });

    it('are not asked of an authority that is away, which the steps say', async () => {
      const service = await start({ acme: { directoryUrl: 'https://127.0.0.1:1/dir' } });
      const { call, token } = service;
      const { id } = (await call('POST', '/api/sites', shop, token)).body;
      const failed = await call('POST', `/api/sites/${id}/certificate/issue`, undefined, token);
      expect(failed.body).toMatchObject({ state: 'failed', domains: [] });
      expect(failed.body.steps).toMatchObject([
        { step: 'account', status: 'failed', detail: expect.stringContaining('ECONNREFUSED') },
      ]);
    });

    it('are not asked for wildcards, which HTTP cannot prove', async () => {
      const { call, token } = await start({ acme: authority.authority });
      const { id } = (await call('POST', '/api/sites', { ...shop, domains: ['*.example.com'] }, token)).body;
      const refused = await call('POST', `/api/sites/${id}/certificate/issue`, undefined, token);
      expect(refused.body.issues[0].message).toContain('Wildcards');
    });
  },
);
