import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { Agent, get } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type AcmeServer, pebbleMissing, startAcmeServer } from '../../packages/service/src/testing/index.ts';
import { type Api, signIn } from '../product/api.ts';
import { environmentOf, servedCertificate } from '../product/certificate.ts';
import { freePort, type Product, startProduct } from '../product/product.ts';

const domain = 'shop.example.com';
const admin = { email: 'ada@example.com', password: 'Correct-horse-7!' };
const patience = { timeout: 60_000, interval: 100 };
const missing = pebbleMissing();

/** The product before a real authority: each certificate is proven over the gateways' own port. */
describe.skipIf(missing !== undefined)(`automatic certificates${missing ? ` (${missing})` : ''}`, () => {
  let authority: AcmeServer;
  let product: Product;
  let upstream: Server;
  let api: Api;
  let siteId: string;
  let httpsPort: number;
  let finish: (() => void) | undefined;
  let stopped = false;

  const tls = { host: '127.0.0.1', servername: domain, rejectUnauthorized: false };

  /** Shakes hands anew. @returns who signed what is served and under which number; undefined where nothing is */
  async function served(): Promise<{ issuer: string; serial: string } | undefined> {
    const certificate = await servedCertificate({ ...tls, port: httpsPort, ALPNProtocols: ['http/1.1'] });
    return certificate && { issuer: String(certificate.issuer.CN), serial: certificate.serialNumber };
  }

  beforeAll(async () => {
    upstream = createServer((request, response) => {
      if (request.url !== '/slow') return void response.end('quick');
      response.write('first ');
      finish = () => response.end('last');
    }).listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    const gatewayPort = await freePort();
    authority = await startAcmeServer(gatewayPort);
    httpsPort = await freePort();
    product = await startProduct({
      gatewayPort,
      environment: environmentOf(authority, httpsPort, admin),
    });
    api = await signIn(product.console, admin.email, admin.password);
    const site = await api.post('/sites', {
      name: 'Shop',
      domains: [domain],
      backend_url: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`,
      // Clear requests are sent to HTTPS; those of the authority are answered all the same.
      ssl: { enabled: true, autoCert: true, redirect: true },
    });
    siteId = (site as { id: string }).id;
  }, 90_000);
  afterAll(async () => {
    await product?.stop();
    if (!stopped) await authority?.stop();
    upstream?.closeAllConnections();
    upstream?.close();
  });

  it('come by themselves once a site wants one', async () => {
    await vi.waitFor(async () => expect((await served())?.issuer).toMatch(/^Pebble/), patience);
    const [certificate] = (await api.get('/certificates')) as { state: string; domains: string[] }[];
    expect(certificate).toMatchObject({ state: 'valid', domains: [domain] });
  }, 90_000);

  it('are renewed under open connections, which lose nothing', async () => {
    const before = await served();
    const agent = new Agent({ ...tls, port: httpsPort, keepAlive: true, maxSockets: 1 });
    const ask = async (path: string) => {
      const [answer] = await once(get({ agent, path, headers: { Host: domain } }), 'response');
      return answer;
    };
    const slow = await ask('/slow');
    const underWay = text(slow);
    const renewed = (await api.post(`/sites/${siteId}/certificate/issue`, {})) as { steps: object[] };
    expect(renewed.steps.at(-1)).toMatchObject({ step: 'download', status: 'done' });
    // Each worker swaps for itself; a handshake may meet either.
    await vi.waitFor(async () => {
      const seen = await Promise.all(Array.from({ length: 8 }, served));
      expect(seen.every((one) => one !== undefined && one.serial !== before?.serial)).toBe(true);
    }, patience);
    finish?.();
    expect(await underWay).toBe('first last');
    const next = await ask('/quick');
    expect([await text(next), next.socket === slow.socket || next.req.reusedSocket]).toEqual(['quick', true]);
    agent.destroy();
  }, 90_000);

  it('stay as they are when the authority is away, which the steps say', async () => {
    const before = await served();
    await authority.stop();
    stopped = true;
    const failed = (await api.post(`/sites/${siteId}/certificate/issue`, {})) as {
      steps: { step: string; status: string; detail: string }[];
      renewAt: string;
    };
    expect(failed.steps).toMatchObject([{ step: 'account', status: 'failed' }]);
    expect(failed.steps[0]?.detail).toContain('ECONNREFUSED');
    expect(Date.parse(failed.renewAt)).toBeGreaterThan(Date.now());
    expect(await served()).toEqual(before);
  }, 90_000);
});
