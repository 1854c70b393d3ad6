import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { gatewayRuntime } from '../../packages/cli/src/launcher/gateway-runtime.ts';
import { freePort } from '../../packages/service/src/storage/testing/free-port.ts';
import type { Pause, WorkerPlan, WorkerReport } from './worker-plan.ts';

/** Something that stands between client and upstream and is measured. */
export interface Subject {
  readonly name: string;
  readonly port: number;
  /** all processes that do its work; the last of them answers requests */
  readonly pids: readonly number[];
  stop(): Promise<void>;
}

async function listening(port: number, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended with ${child.exitCode}`);
    const socket = connect(port, '127.0.0.1');
    const open = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'close').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (open) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

const here = path.join(import.meta.dirname, '..', '..');

/** A gateway worker that takes words on its input. */
export interface GatewaySubject extends Subject {
  readonly httpsPort: number;
  reload(): void;
  /** @returns bytes in use after a collection */
  liveBytes(): Promise<number>;
  /** @returns what held it up since it was last asked */
  pauses(): Promise<readonly Pause[]>;
}

/**
 * The gateway at one security level.
 * @param root of the checkout whose gateway it is
 */
export async function gatewaySubject(
  name: string,
  plan: Omit<WorkerPlan, 'dataDir'>,
  dir: string,
  root = here,
): Promise<GatewaySubject> {
  const dataDir = path.join(dir, name.replaceAll(/\W+/g, '-'));
  mkdirSync(dataDir, { recursive: true });
  const worker = path.join(root, 'benchmarks', 'gateway', 'worker.ts');
  const child = spawn(process.execPath, ['--expose-gc', worker, JSON.stringify({ ...plan, dataDir })], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // As the launcher starts it: compiled code is kept from one start to the next.
    env: { ...gatewayRuntime, NODE_COMPILE_CACHE: path.join(root, '.cache', 'compile'), ...process.env },
  });
  const lines = createInterface({ input: child.stdout });
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('the gateway ended')));
  ended.catch(() => undefined);
  const next = async () => {
    const [line] = await Promise.race([once(lines, 'line'), ended]);
    return JSON.parse(String(line)) as WorkerReport;
  };
  const { httpPort = 0, httpsPort = 0 } = await next();
  const ask = (word: string) => {
    const answer = next();
    child.stdin.write(`${word}\n`);
    return answer;
  };
  return {
    name,
    port: httpPort,
    httpsPort,
    pids: [child.pid ?? 0],
    reload: () => void child.stdin.write('reload\n'),
    liveBytes: async () => (await ask('measure')).liveBytes ?? 0,
    pauses: async () => (await ask('pauses')).pauses ?? [],
    stop: () => stop(child),
  };
}

/**
 * One nginx with one worker.
 * @param modules lines before everything else, such as load_module
 */
async function nginx(
  name: string,
  dir: string,
  port: number,
  modules: string,
  http: string,
): Promise<Subject> {
  const folder = path.join(dir, name.replaceAll(/\W+/g, '-'));
  mkdirSync(folder, { recursive: true });
  const config = path.join(folder, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
    .join('\n');
  writeFileSync(
    config,
    `${modules}\npid ${folder}/pid;\nerror_log ${folder}/error.log;\nworker_processes 1;\ndaemon off;\n` +
      `events { worker_connections 4096; }\nhttp {\naccess_log off;\nkeepalive_requests 10000000;\n${temporary}\n${http}\n}\n`,
  );
  const child = spawn('nginx', ['-c', config, '-p', folder, '-e', path.join(folder, 'error.log')], {
    stdio: 'ignore',
  });
  await listening(port, child);
  const master = child.pid ?? 0;
  return {
    name,
    port,
    // Asked at each reading: the master listens before its worker is there.
    get pids() {
      return [master, ...childrenOf(master)];
    },
    stop: () => stop(child),
  };
}

/** The upstream of all: nginx answering 1 KB from memory, so that it costs the least. */
export async function upstreamSubject(dir: string): Promise<Subject> {
  const port = await freePort();
  const answer = `location / { default_type text/plain; return 200 '${'x'.repeat(1024)}'; }`;
  return nginx(
    'upstream',
    dir,
    port,
    '',
    `client_max_body_size 10m;\nserver { listen 127.0.0.1:${port}; ${answer} }`,
  );
}

const proxy = (port: number, upstreamPort: number, more: string) => `
upstream origin { server 127.0.0.1:${upstreamPort}; keepalive 256; keepalive_requests 10000000; }
client_body_buffer_size 64k;
server { listen 127.0.0.1:${port}; ${more}
location / { proxy_pass http://origin; proxy_http_version 1.1; proxy_set_header Connection "";
proxy_set_header Host $host; proxy_set_header X-Forwarded-For $remote_addr; } }`;

/** nginx as a plain reverse proxy: what the ratios refer to. */
export async function nginxSubject(upstreamPort: number, dir: string): Promise<Subject> {
  const port = await freePort();
  return nginx('nginx', dir, port, '', proxy(port, upstreamPort, ''));
}

const modsecurityModule = '/usr/lib/nginx/modules/ngx_http_modsecurity_module.so';
const coreRules = '/usr/share/modsecurity-crs';

/** nginx with ModSecurity 3 and the Core Rule Set, as Debian packages them. @returns undefined when not installed */
export async function modsecuritySubject(upstreamPort: number, dir: string): Promise<Subject | undefined> {
  if (!existsSync(modsecurityModule) || !existsSync(`${coreRules}/rules`)) return undefined;
  const port = await freePort();
  const rules = path.join(dir, 'modsecurity.conf');
  const setup = ['/etc/modsecurity/crs/crs-setup.conf', `${coreRules}/crs-setup.conf.example`].find((file) =>
    existsSync(file),
  );
  writeFileSync(
    rules,
    `SecRuleEngine On\nSecRequestBodyAccess On\nSecRequestBodyLimit 13107200\nSecResponseBodyAccess Off\nSecAuditEngine Off\n` +
      `SecRule REQUEST_HEADERS:Content-Type "^application/json" "id:200001,phase:1,t:none,t:lowercase,pass,nolog,ctl:requestBodyProcessor=JSON"\n` +
      `${setup ? `Include ${setup}\n` : ''}Include ${coreRules}/rules/*.conf\n`,
  );
  const more = `modsecurity on; modsecurity_rules_file ${rules};`;
  return nginx(
    'nginx + ModSecurity + CRS',
    dir,
    port,
    `load_module ${modsecurityModule};`,
    proxy(port, upstreamPort, more),
  );
}

/** HAProxy as a plain reverse proxy. @returns undefined when not installed */
export async function haproxySubject(upstreamPort: number, dir: string): Promise<Subject | undefined> {
  if (!existsSync('/usr/sbin/haproxy')) return undefined;
  const port = await freePort();
  const config = path.join(dir, 'haproxy.cfg');
  writeFileSync(
    config,
    `global\n nbthread 1\ndefaults\n mode http\n option forwardfor\n timeout connect 5s\n timeout client 30s\n timeout server 30s\n` +
      `frontend in\n bind 127.0.0.1:${port}\n default_backend out\nbackend out\n http-reuse always\n server one 127.0.0.1:${upstreamPort}\n`,
  );
  const child = spawn('/usr/sbin/haproxy', ['-f', config, '-db'], { stdio: 'ignore' });
  await listening(port, child);
  return { name: 'HAProxy', port, pids: [child.pid ?? 0], stop: () => stop(child) };
}
