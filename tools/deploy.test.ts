import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { startGateway, startUpstream } from '../packages/gateway/src/testing/index.ts';
import { freePort } from '../packages/service/src/storage/testing/free-port.ts';

const deploy = path.resolve(import.meta.dirname, '..', 'deploy');
const temporary = mkdtempSync(path.join(tmpdir(), 'portcullis-deploy-'));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));
const haproxy = '/usr/sbin/haproxy';
const analyze = '/usr/bin/systemd-analyze';
const without = (program: string) => (existsSync(program) ? '' : ` (${program} is not installed)`);

/** @param from the client's own address. @returns the status; 0 where nobody answers */
function statusAt(port: number, from: string): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const to = {
    host: '127.0.0.1',
    port,
    localAddress: from,
    agent: false,
    headers: { host: 'a.example.com' },
  };
  request(to, (response) => resolve(response.resume().statusCode ?? 0))
    .on('error', () => resolve(0))
    .end();
  return promise;
}

describe.skipIf(!existsSync(haproxy))(`deploy/haproxy.cfg${without(haproxy)}`, () => {
  it('is a configuration that HAProxy takes without a warning', () => {
    const file = path.join(deploy, 'haproxy.cfg');
    expect(() => execFileSync(haproxy, ['-c', '-dW', '-q', '-f', file], { stdio: 'pipe' })).not.toThrow();
  });

  it('names the client to gateways, and sends it to those that live', async () => {
    await using upstream = await startUpstream();
    const input = {
      security: { trustedProxies: ['127.0.0.1'], proxyProtocol: true },
      sites: [{ backend_url: upstream.url }],
    };
    await using one = await startGateway(input);
    await using two = await startGateway(input);
    const [http, https] = [await freePort(), await freePort()];
    const as = { ':80': http, ':443': https };
    const local = readFileSync(path.join(deploy, 'haproxy.cfg'), 'utf8')
      .replace(/^ *log .*\n/gm, '')
      .replace('option tcplog', '')
      // So many are more than who runs a test may open.
      .replace('maxconn 100000', 'maxconn 100')
      .replace(/bind (:\d+)/g, (_, port: keyof typeof as) => `bind 127.0.0.1:${as[port]}`)
      .replace('192.0.2.11:80', `127.0.0.1:${one.port}`)
      .replace('192.0.2.12:80', `127.0.0.1:${two.port}`)
      .replace('192.0.2.11:443', `127.0.0.1:${one.httpsPort}`)
      .replace('192.0.2.12:443', `127.0.0.1:${two.httpsPort}`);
    const file = path.join(temporary, 'haproxy.cfg');
    writeFileSync(file, local);
    const balancer = spawn(haproxy, ['-db', '-f', file], { stdio: 'ignore' });
    const ended = once(balancer, 'exit');
    const soon = { timeout: 30_000, interval: 50 };
    try {
      await vi.waitFor(async () => expect(await statusAt(http, '127.0.0.2')).toBe(200), soon);
      expect(upstream.requests.at(-1)?.headers['x-forwarded-for']).toBe('127.0.0.2');
      await one.gateway.stop({ graceMs: 0 });
      await vi.waitFor(async () => {
        for (const client of ['127.0.0.3', '127.0.0.4', '127.0.0.5', '127.0.0.6'])
          expect(await statusAt(http, client)).toBe(200);
      }, soon);
    } finally {
      balancer.kill();
      await ended;
    }
  });
});

describe.skipIf(!existsSync(analyze))(`systemd units${without(analyze)}`, () => {
  const units = readdirSync(deploy).filter((name) => name.endsWith('.service'));

  it.each(units)('%s is a unit that systemd takes', (name) => {
    // As installed; an instance of it where it is a template.
    const file = path.join(temporary, name.replace('@', '@1'));
    const unit = readFileSync(path.join(deploy, name), 'utf8')
      .replace('/opt/portcullis/node_modules/.bin/node', process.execPath)
      .replaceAll('/opt/portcullis', path.dirname(deploy));
    writeFileSync(file, unit);
    expect(execFileSync(analyze, ['verify', file], { stdio: 'pipe', encoding: 'utf8' })).toBe('');
    expect(units.length).toBeGreaterThan(1);
  });
});
