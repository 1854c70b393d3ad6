import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Api, signIn } from '../product/api.ts';
import { type Product, startProduct } from '../product/product.ts';
import { ask, startUpstream } from '../product/upstream.ts';

const administrator = { email: 'ada@example.com', password: 'Correct-horse-7!' };
const environment = {
  PORTCULLIS_ADMIN_EMAIL: administrator.email,
  PORTCULLIS_ADMIN_PASSWORD: administrator.password,
};
const host = 'shop.example.com';
const attack = "/?id=1'%20UNION%20SELECT%20password%20FROM%20users--";

interface Entry {
  requestId?: string;
}

/** Process ids of the launcher's children, by the word after `main.ts`. */
function childrenOf(launcher: number, command: string): number[] {
  const lines = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(launcher)], {
    encoding: 'utf8',
  }).split('\n');
  return lines.filter((line) => line.includes(`main.ts ${command}`)).map((line) => Number.parseInt(line, 10));
}

describe('while parts of the product are away', () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'portcullis-faults-'));
  let product: Product;
  let api: Api;
  let upstream: Awaited<ReturnType<typeof startUpstream>>;
  const visit = (target: string) =>
    ask({ port: product.gatewayPort, host, path: target, headers: { accept: 'application/json' } });
  const signedIn = () => signIn(product.console, administrator.email, administrator.password);
  const blockedIds = async () => {
    const entries = (await api.get('/audit?limit=500&action=blocked')) as Entry[];
    return entries.map((entry) => entry.requestId);
  };

  beforeAll(async () => {
    upstream = await startUpstream((request, response) => response.end(`saw ${request.url}`));
    product = await startProduct({ dataDir, environment });
    api = await signedIn();
    await api.post('/sites', { name: 'Shop', domains: [host], backend_url: upstream.url });
    await vi.waitFor(async () => expect((await visit('/')).status).toBe(200), { timeout: 20_000 });
  });
  afterAll(async () => {
    await product.stop();
    await upstream.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('a killed service leaves the gateway serving, and the events of the meantime arrive once each', async () => {
    const [service] = childrenOf(product.launcher.pid ?? 0, 'service');
    expect(service).toBeGreaterThan(0);
    process.kill(service ?? 0, 'SIGKILL');
    const references: string[] = [];
    for (let number = 0; number < 20; number += 1) {
      expect((await visit(`/page/${number}`)).body).toBe(`saw /page/${number}`);
      const answer = await visit(attack);
      expect(answer.status).toBe(403);
      references.push((JSON.parse(answer.body) as { requestId: string }).requestId);
    }
    await vi.waitFor(
      async () => {
        api = await signedIn();
        const arrived = await api.get('/metrics');
        expect(arrived).toMatchObject({ blockedRequests: references.length });
      },
      { timeout: 20_000, interval: 250 },
    );
    expect(await blockedIds()).toContain(references[0]);
  });

  it('a killed gateway is started again, and others answer meanwhile', async () => {
    const before = childrenOf(product.launcher.pid ?? 0, 'gateway');
    expect(before).toHaveLength(2);
    process.kill(before[0] ?? 0, 'SIGKILL');
    await vi.waitFor(
      () => {
        const now = childrenOf(product.launcher.pid ?? 0, 'gateway');
        expect(now).toHaveLength(2);
        expect(now).not.toContain(before[0]);
      },
      { timeout: 20_000 },
    );
    await vi.waitFor(async () => expect((await visit('/again')).body).toBe('saw /again'), {
      timeout: 20_000,
    });
  });

  it('a broken last good configuration is set aside, and the service gives a new one', async () => {
    expect(await product.stop()).toBe(0);
    const files = readdirSync(dataDir, { recursive: true, encoding: 'utf8' });
    const lastGood = files.filter((file) => /last-good.*\.json$/.test(file));
    expect(lastGood.length, files.join('\n')).toBeGreaterThan(0);
    for (const file of lastGood) writeFileSync(path.join(dataDir, file), '{"linkVersion":1,"ver');
    product = await startProduct({ dataDir, environment });
    await vi.waitFor(async () => expect((await visit('/mended')).body).toBe('saw /mended'), {
      timeout: 20_000,
    });
    expect(product.output()).toMatch(/last.good/i);
    api = await signedIn();
    expect(await api.get('/sites')).toHaveLength(1);
  });
});
