import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createGateway, type Gateway } from '@portcullis/gateway';
import { createService } from '@portcullis/service';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createLog } from '../log/index.ts';
import { createLinkClient, createLinkServer, linkSocketPath } from './index.ts';

const quiet = createLog('test', () => undefined);
const soon = { timeout: 20_000, interval: 20 };
const credentials = { email: 'admin@example.com', password: 'Correct-horse-7!' };
const attack = `/?id=${encodeURIComponent("1' UNION SELECT password FROM users--")}`;

/** A service and two gateways of one machine, without Redis, each gateway on a port of its own. */
describe('bans on one machine', () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'portcullis-bans-'));
  const upstream = createServer((_request, response) => response.end('fine'));
  const service = createService({
    ...{ dataDir, adminHost: '127.0.0.1', adminPort: 0, log: quiet, productVersion: '0.0.0' },
    bootstrapAdmin: credentials,
  });
  const server = createLinkServer(linkSocketPath(dataDir), service.controlPlane, quiet);
  const ends: (() => Promise<void>)[] = [];
  const workers: { readonly name: string; readonly gateway: Gateway; readonly port: number }[] = [];
  let api = '';
  let token = '';

  const call = async (method: string, where: string, body?: unknown) => {
    const response = await fetch(`${api}${where}`, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== '' && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  const startWorker = async (name: string) => {
    const link = createLinkClient(linkSocketPath(dataDir), quiet);
    const gateway = createGateway({
      ...{ id: name, host: '127.0.0.1', httpPort: 0, httpsPort: 0, dataDir, log: quiet },
      ...{ source: link.source, sink: link.sink },
    });
    const { httpPort } = await gateway.start();
    workers.push({ name, gateway, port: httpPort });
    ends.push(async () => {
      await gateway.stop({ graceMs: 100 });
      await link.stop();
    });
  };
  const from = async (worker: number, address: string, where = '/') => {
    const response = await fetch(`http://127.0.0.1:${workers[worker]?.port}${where}`, {
      headers: { 'x-forwarded-for': address },
    });
    await response.text();
    return response.status;
  };
  const statuses = (address: string) => Promise.all(workers.map((_, worker) => from(worker, address)));
  const getBanned = async (address: string) => {
    for (let block = 0; block < 3; block += 1) await from(0, address, attack);
    await vi.waitFor(async () => expect(new Set(await statuses(address))).toEqual(new Set([403])), soon);
  };

  beforeAll(async () => {
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
    await server.start();
    const { port } = await service.start();
    api = `http://127.0.0.1:${port}/api`;
    token = (await call('POST', '/auth/login', credentials)).body.token;
    const { port: behind } = upstream.address() as AddressInfo;
    await call('POST', '/sites', {
      ...{ name: 'Shop', domains: ['*'], backend_url: `http://127.0.0.1:${behind}` },
      rate_limit: { enabled: false },
    });
    await call('PUT', '/settings/security', { trustedProxies: ['127.0.0.1'], banAfterBlocks: 3 });
    for (const name of ['gateway-1', 'gateway-2']) await startWorker(name);
    await vi.waitFor(async () => expect(await statuses('203.0.113.1')).toEqual([200, 200]), soon);
  });
  afterAll(async () => {
    await Promise.all(ends.map((end) => end()));
    await server.stop();
    await service.stop();
    upstream.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('hold on every worker, also on one that starts later, and are listed', async () => {
    await getBanned('203.0.113.9');
    await startWorker('gateway-3');
    await vi.waitFor(async () => expect(await from(2, '203.0.113.9')).toBe(403), soon);
    expect(await from(2, '203.0.113.10')).toBe(200);
    const { bans, total } = (await call('GET', '/access/bans')).body;
    expect(total).toBe(1);
    expect(bans).toMatchObject([{ address: '203.0.113.9', clientIP: '203.0.113.9' }]);
    expect(Date.parse(bans[0].until) - Date.parse(bans[0].since)).toBe(900_000);
    expect(bans[0].reason).toMatch(/^3 blocked requests within 60 s, the last one: /);
  });

  it('end on every worker when somebody lifts one, which is written down', async () => {
    const [ban] = (await call('GET', '/access/bans?ip=203.0.113.9')).body.bans;
    expect((await call('DELETE', `/access/bans/${ban.id}`)).status).toBe(204);
    const lifted = performance.now();
    await vi.waitFor(async () => expect(new Set(await statuses('203.0.113.9'))).toEqual(new Set([200])), {
      timeout: 5000,
      interval: 10,
    });
    expect(performance.now() - lifted).toBeLessThan(2000);
    expect((await call('GET', '/access/bans')).body).toEqual({ bans: [], total: 0 });
    expect((await call('DELETE', `/access/bans/${ban.id}`)).status).toBe(404);
    const { body: actions } = await call('GET', '/audit/admin');
    expect(JSON.stringify(actions)).toContain('The ban of 203.0.113.9 was lifted');
  });

  it('all end when the setting is switched off, and do not come back with it', async () => {
    for (const address of ['203.0.113.20', '203.0.113.21']) await getBanned(address);
    await call('PUT', '/settings/security', { blockSuspiciousIPs: false });
    const all = async () =>
      new Set([...(await statuses('203.0.113.20')), ...(await statuses('203.0.113.21'))]);
    await vi.waitFor(async () => expect(await all()).toEqual(new Set([200])), soon);
    await vi.waitFor(async () => expect((await call('GET', '/access/bans')).body.total).toBe(0), soon);
    await call('PUT', '/settings/security', { blockSuspiciousIPs: true });
    await getBanned('203.0.113.22');
    expect(await all()).toEqual(new Set([200]));
  });
});
