import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { EnvironmentSchema } from '../packages/cli/src/environment/schema.ts';
import { gatewayRuntime } from '../packages/cli/src/launcher/gateway-runtime.ts';
import { startGateway, startUpstream } from '../packages/gateway/src/testing/index.ts';
import { freePort } from '../packages/service/src/storage/testing/free-port.ts';

const deploy = path.resolve(import.meta.dirname, '..', 'deploy');
const temporary = mkdtempSync(path.join(tmpdir(), 'portcullis-deploy-'));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));
const haproxy = '/usr/sbin/haproxy';
const nginx = '/usr/sbin/nginx';
/** where Debian's libnginx-mod-stream puts it */
const nginxStream = '/usr/lib/nginx/modules/ngx_stream_module.so';
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

/** Whether the balancer tells gateways who the client is, and leaves out one that is gone. */
async function balances(configure: (ports: Ports) => { program: string; args: readonly string[] }) {
  await using upstream = await startUpstream();
  const input = {
    security: { trustedProxies: ['127.0.0.1'], proxyProtocol: true },
    sites: [{ backend_url: upstream.url }],
  };
  await using one = await startGateway(input);
  await using two = await startGateway(input);
  const [http, https] = [await freePort(), await freePort()];
  const { program, args } = configure({
    http,
    https,
    of: {
      '192.0.2.11:80': one.port,
      '192.0.2.12:80': two.port,
      '192.0.2.11:443': one.httpsPort ?? 0,
      '192.0.2.12:443': two.httpsPort ?? 0,
    },
  });
  const balancer = spawn(program, args, { stdio: 'ignore' });
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
}

interface Ports {
  /** where the balancer listens */
  readonly http: number;
  readonly https: number;
  /** of each gateway's address in the example */
  readonly of: Readonly<Record<string, number>>;
}

/** @returns the example with the gateways of the test in place of its own */
const withGateways = (text: string, of: Ports['of']) =>
  text.replace(/192\.0\.2\.\d+:\d+/g, (address) => `127.0.0.1:${of[address]}`);

describe.skipIf(!existsSync(haproxy))(`deploy/haproxy.cfg${without(haproxy)}`, () => {
  it('is a configuration that HAProxy takes without a warning', () => {
    const file = path.join(deploy, 'haproxy.cfg');
    expect(() => execFileSync(haproxy, ['-c', '-dW', '-q', '-f', file], { stdio: 'pipe' })).not.toThrow();
  });

  it('names the client to gateways, and sends it to those that live', () =>
    balances(({ http, https, of }) => {
      const as = { ':80': http, ':443': https };
      const local = withGateways(readFileSync(path.join(deploy, 'haproxy.cfg'), 'utf8'), of)
        .replace(/^ *log .*\n/gm, '')
        .replace('option tcplog', '')
        // So many are more than who runs a test may open.
        .replace('maxconn 100000', 'maxconn 100')
        .replace(/bind (:\d+)/g, (_, port: keyof typeof as) => `bind 127.0.0.1:${as[port]}`);
      const file = path.join(temporary, 'haproxy.cfg');
      writeFileSync(file, local);
      return { program: haproxy, args: ['-db', '-f', file] };
    }));
});

describe.skipIf(!existsSync(nginxStream))(`deploy/nginx.conf${without(nginxStream)}`, () => {
  it('names the client to gateways, and sends it to those that live', () =>
    balances(({ http, https, of }) => {
      const as = { 80: http, 443: https };
      const local = withGateways(readFileSync(path.join(deploy, 'nginx.conf'), 'utf8'), of)
        .replace('modules/ngx_stream_module.so', nginxStream)
        // So many are more than who runs a test may open.
        .replace('worker_rlimit_nofile 200000', `pid ${path.join(temporary, 'nginx.pid')}`)
        .replace('worker_connections 65536', 'worker_connections 100')
        .replace(/listen (\d+)/g, (_, port: keyof typeof as) => `listen 127.0.0.1:${as[port]}`);
      const file = path.join(temporary, 'nginx.conf');
      writeFileSync(file, local);
      const args = ['-p', temporary, '-e', 'stderr', '-g', 'daemon off;', '-c', file];
      execFileSync(nginx, ['-t', '-q', ...args], { stdio: 'pipe' });
      return { program: nginx, args };
    }));
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

/** What the image runs with where nobody says otherwise. */
function imageSettings() {
  const lines = readFileSync(path.join(deploy, 'Dockerfile'), 'utf8');
  const env = [...lines.matchAll(/^ENV (.*)$/gm)].flatMap(([, set = '']) => [
    ...set.matchAll(/(\w+)=(\S+)/g),
  ]);
  return EnvironmentSchema.parse(Object.fromEntries(env.map(([, name, value]) => [name, value])));
}

describe('deploy/compose.yaml', () => {
  it('publishes the ports that the image serves, and the console to this machine alone', () => {
    const { services } = parse(readFileSync(path.join(deploy, 'compose.yaml'), 'utf8'));
    const settings = imageSettings();
    // Alike inside and out, for the console shows commands with the port that the gateway has.
    expect(settings).toMatchObject({ PORTCULLIS_HTTP_PORT: 80, PORTCULLIS_HTTPS_PORT: 443 });
    expect(services.portcullis.ports).toEqual([
      `80:${settings.PORTCULLIS_HTTP_PORT}`,
      `443:${settings.PORTCULLIS_HTTPS_PORT}`,
      `127.0.0.1:7080:${settings.PORTCULLIS_ADMIN_PORT}`,
    ]);
  });

  it('lets the image bind its ports without a capability', () => {
    const { services } = parse(readFileSync(path.join(deploy, 'compose.yaml'), 'utf8'));
    expect(services.portcullis).toMatchObject({
      cap_drop: ['ALL'],
      sysctls: { 'net.ipv4.ip_unprivileged_port_start': 0 },
    });
  });
});

describe.skipIf(!existsSync(analyze))(`deploy/one-machine.conf${without(analyze)}`, () => {
  it.each(['portcullis-service.service', 'portcullis-gateway@.service'])(
    'makes %s a unit of one machine, without credentials',
    (name) => {
      const folder = mkdtempSync(path.join(temporary, 'units-'));
      const added = path.join(folder, `${name}.d`);
      mkdirSync(added);
      copyFileSync(path.join(deploy, 'one-machine.conf'), path.join(added, 'one-machine.conf'));
      const unit = readFileSync(path.join(deploy, name), 'utf8')
        .replace('/opt/portcullis/node_modules/.bin/node', process.execPath)
        .replaceAll('/opt/portcullis', path.dirname(deploy));
      writeFileSync(path.join(folder, name), unit);
      const file = path.join(folder, name.replace('@', '@1'));
      const env = { ...process.env, SYSTEMD_UNIT_PATH: `${folder}:` };
      expect(execFileSync(analyze, ['verify', file], { stdio: 'pipe', encoding: 'utf8', env })).toBe('');
      const needed = [...unit.matchAll(/^Environment=(PORTCULLIS_\w+_FILE)=/gm)].map(([, one]) => one);
      const conf = readFileSync(path.join(added, 'one-machine.conf'), 'utf8');
      expect(needed.length).toBeGreaterThan(1);
      for (const one of needed) expect(conf).toMatch(new RegExp(`^Environment=(?:.* )?${one}=(?: |$)`, 'm'));
      // Applied last of all, it would take away what the operator set.
      expect(conf).not.toContain('UnsetEnvironment');
      expect(conf).toMatch(/^LoadCredential=$/m);
    },
  );
});

describe('deploy/portcullis-gateway@.service', () => {
  it('tells the runtime of a gateway what the launcher tells it', () => {
    const unit = readFileSync(path.join(deploy, 'portcullis-gateway@.service'), 'utf8');
    const set = unit.matchAll(/^Environment=(?!PORTCULLIS_)(\w+)=(.*)$/gm);
    expect(Object.fromEntries(set.map(([, name, value]) => [name, value]))).toEqual(gatewayRuntime);
  });
});

describe('deploy/Dockerfile', () => {
  const lines = readFileSync(path.join(deploy, 'Dockerfile'), 'utf8');

  it('sets and serves what the product knows', () => {
    const { PORTCULLIS_ADMIN_PORT, PORTCULLIS_HTTP_PORT, PORTCULLIS_HTTPS_PORT } = imageSettings();
    expect(lines).toContain(
      `EXPOSE ${PORTCULLIS_ADMIN_PORT} ${PORTCULLIS_HTTP_PORT} ${PORTCULLIS_HTTPS_PORT}`,
    );
    const known = new Set(Object.keys(EnvironmentSchema.shape));
    const set = lines.match(/PORTCULLIS_\w+/g) ?? [];
    expect(set.filter((name) => !known.has(name))).toEqual([]);
    expect(set.length).toBeGreaterThan(2);
  });

  it('asks for its health where the service tells it', async () => {
    const probe = /CMD \["[^"]+", "-e", "(.+)"\]/.exec(lines)?.[1] ?? '';
    const ask = async (status: number) => {
      const server = createServer((request, response) => {
        response.writeHead(request.url === '/readyz' ? status : 404).end();
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const probing = spawn(process.execPath, ['-e', probe], {
        env: { PORTCULLIS_ADMIN_PORT: String(port) },
        stdio: 'ignore',
      });
      const [code] = await once(probing, 'exit');
      server.close();
      return code;
    };
    expect(await ask(200)).toBe(0);
    expect(await ask(503)).toBe(1);
  });
});
