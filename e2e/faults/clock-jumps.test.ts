import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { get } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Certificate } from '@portcullis/contract/certificates';
import type { Fleet } from '@portcullis/contract/fleet';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type AcmeServer, pebbleMissing, startAcmeServer } from '../../packages/service/src/testing/index.ts';
import { signIn } from '../product/api.ts';
import { environmentOf, servedCertificate } from '../product/certificate.ts';
import { freePort, type Product, startProduct } from '../product/product.ts';

const domain = 'shop.example.com';
const admin = { email: 'ada@example.com', password: 'Correct-horse-7!' };
const patience = { timeout: 60_000, interval: 200 };
const libraries = '/usr/lib';
const fakeTime = readdirSync(libraries)
  .map((folder) => path.join(libraries, folder, 'faketime/libfaketime.so.1'))
  .find((file) => existsSync(file));
const missing = pebbleMissing() ?? (fakeTime ? undefined : 'faketime is not installed');

/** The product by a clock that a test sets, before a real authority whose clock is right. */
describe.skipIf(missing !== undefined)(`a clock that jumps${missing ? ` (${missing})` : ''}`, () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'portcullis-clock-'));
  const clock = path.join(folder, 'clock');
  let authority: AcmeServer;
  let product: Product;
  let upstream: Server;
  let httpsPort: number;

  const tls = { host: '127.0.0.1', servername: domain, rejectUnauthorized: false };
  /** @param offset such as `+61d` */
  const set = (offset: string) => writeFileSync(clock, offset);

  /** @returns the number of the certificate that a new handshake gets; undefined where there is none */
  async function served(): Promise<string | undefined> {
    return (await servedCertificate({ ...tls, port: httpsPort }))?.serialNumber;
  }
  const asked = async () => {
    const [answer] = await once(
      get({ ...tls, port: httpsPort, headers: { Host: domain }, agent: false }),
      'response',
    );
    answer.resume();
    return answer.statusCode;
  };
  // Sessions end with the jumps.
  const api = async (what: string) =>
    (await signIn(product.console, admin.email, admin.password)).get(what) as Promise<never>;
  const certificate = async () => ((await api('/certificates')) as Certificate[])[0];

  /** Of the clock; a busy machine may have others. */
  async function warnings(): Promise<string[]> {
    const { members } = (await api('/fleet')) as Fleet;
    return members
      .flatMap((member) => member.warnings.map(({ text }) => text))
      .filter((text) => text.startsWith('The clock'));
  }

  beforeAll(async () => {
    set('+0');
    upstream = createServer((_request, response) => response.end('quick')).listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    const gatewayPort = await freePort();
    authority = await startAcmeServer(gatewayPort, 90 * 86_400);
    httpsPort = await freePort();
    product = await startProduct({
      gatewayPort,
      environment: {
        ...environmentOf(authority, httpsPort, admin),
        LD_PRELOAD: fakeTime ?? '',
        FAKETIME_TIMESTAMP_FILE: clock,
        FAKETIME_CACHE_DURATION: '1',
        // Somebody sets the clock: what only counts goes on as it did.
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      },
    });
    await (await signIn(product.console, admin.email, admin.password)).post('/sites', {
      name: 'Shop',
      domains: [domain],
      backend_url: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`,
      ssl: { enabled: true, autoCert: true },
    });
    await vi.waitFor(async () => expect(await served()).toBeDefined(), patience);
  }, 120_000);
  afterAll(async () => {
    await product?.stop();
    await authority?.stop();
    upstream?.closeAllConnections();
    upstream?.close();
    rmSync(folder, { recursive: true });
  });

  it('past two thirds of a certificate’s life has it renewed soon, and every request answered meanwhile', async () => {
    const before = await served();
    set('+61d');
    const statuses = new Set<number | undefined>();
    await vi.waitFor(async () => {
      statuses.add(await asked());
      const now = await served();
      expect(now).toBeDefined();
      expect(now).not.toBe(before);
    }, patience);
    expect([...statuses]).toEqual([200]);
    expect(await certificate()).toMatchObject({ state: 'valid' });
    expect(await warnings()).toEqual([expect.stringMatching(/^The clock went forward by 6[01] d/)]);
  }, 120_000);

  it('past its end leaves what is there in force, and the steps say whose clock to look at', async () => {
    const before = await served();
    set('+100d');
    await vi.waitFor(async () => {
      const { state, steps = [] } = (await certificate()) ?? {};
      expect(state).toBe('expired');
      expect(steps.at(-1)?.detail).toMatch(/certificate has expired; the clock of this machine says \d{4}-/);
    }, patience);
    expect([await served(), await asked()]).toEqual([before, 200]);
  }, 120_000);

  it('and is put right has it asked for again at once', async () => {
    const before = await served();
    set('+0');
    await vi.waitFor(async () => expect(await served()).not.toBe(before), patience);
    const { state, steps = [] } = (await certificate()) ?? {};
    expect([state, steps.every(({ status }) => status === 'done')]).toEqual(['valid', true]);
    await vi.waitFor(async () => expect(await warnings()).toEqual([]), patience);
  }, 120_000);
});
