import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
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

/** The sockets of a process, by inode. */
function socketsOf(pid: number): Set<string> {
  const folder = `/proc/${pid}/fd`;
  const links = readdirSync(folder).map((fd) => {
    try {
      return readlinkSync(path.join(folder, fd));
    } catch {
      // Closed since it was listed.
      return '';
    }
  });
  return new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []));
}

/** @returns the inode of the server's end of a connection on this machine, by its two ports */
function serverEnd(port: number, clientPort: number): string | undefined {
  const ends = (line: string) => line.trim().split(/\s+/);
  const portOf = (end = '') => Number.parseInt(end.slice(end.lastIndexOf(':') + 1), 16);
  const files = ['/proc/net/tcp', '/proc/net/tcp6'].map((file) => readFileSync(file, 'utf8'));
  const lines = files.join('\n').split('\n').map(ends);
  return lines.find(([, local, remote]) => portOf(local) === port && portOf(remote) === clientPort)?.[9];
}

/** A client that keeps its one connection. */
class KeptClient {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  port: number | undefined;

  async visit(port: number, target: string): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    get({ port, host: '127.0.0.1', path: target, headers: { host }, agent: this.#agent }, resolve).on(
      'error',
      reject,
    );
    const answer = await promise;
    this.port = answer.socket.localPort;
    return text(answer);
  }

  close(): void {
    this.#agent.destroy();
  }
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
    const unlimited = { enabled: false };
    const site = { name: 'Shop', domains: [host], backend_url: upstream.url, rate_limit: unlimited };
    await api.post('/sites', site);
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
    const gateways = () => childrenOf(product.launcher.pid ?? 0, 'gateway');
    const [killed = 0, other = 0, ...more] = gateways();
    expect(more).toEqual([]);
    const { gatewayPort } = product;
    const clients = Array.from({ length: 16 }, () => new KeptClient());
    for (const client of clients) expect(await client.visit(gatewayPort, '/kept')).toBe('saw /kept');
    const sockets = socketsOf(other);
    const kept = clients.filter(({ port = 0 }) => sockets.has(serverEnd(gatewayPort, port) ?? ''));
    expect(kept.length).toBeGreaterThan(0);
    const ports = kept.map(({ port }) => port);
    process.kill(killed, 'SIGKILL');
    // Its last thread closes its port: later than its name is gone, and before its parent is told.
    await vi.waitFor(() => expect(() => process.kill(killed, 0)).toThrow('ESRCH'), {
      timeout: 20_000,
      interval: 1,
    });
    const failures: string[] = [];
    const served = async (answer: Promise<string>) => {
      const body = await answer.catch(String);
      if (body !== 'saw /kept') failures.push(body);
    };
    // Until the one that is started again serves too: a third line of its being ready.
    const ready = () => product.output().match(/gateway-\d: ready/g)?.length ?? 0;
    let rounds = 0;
    for (; ready() < 3; rounds += 1) {
      for (const client of kept) await served(client.visit(gatewayPort, '/kept'));
      await served(visit('/kept').then(({ body }) => body));
    }
    expect(failures).toEqual([]);
    expect(rounds).toBeGreaterThan(0);
    expect(kept.map(({ port }) => port)).toEqual(ports);
    expect(gateways()).toHaveLength(2);
    for (const client of clients) client.close();
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
