import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as requestClear } from 'node:http';
import { request as requestTls, Agent as TlsAgent } from 'node:https';
import { type AddressInfo, connect as connectClear, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { gatewayRuntime } from '../packages/cli/src/launcher/gateway-runtime.ts';
import { certificateFor, snapshot } from '../packages/gateway/src/testing/index.ts';
import { residentMb } from './gateway/load.ts';
import type { BenchmarkResult } from './run.ts';

export const onDemand = true;

interface Ports {
  readonly httpPort: number;
  readonly httpsPort: number;
}

const siteCount = 200;
const clientCount = 1000;
const domainOf = (index: number) => `site-${index % siteCount}.test`;

/** Sites that differ in upstream, certificate and a rule, as an operator's do. */
async function manySites(upstreamPort: number) {
  const certificates = await Promise.all(
    Array.from({ length: siteCount }, (_, index) =>
      certificateFor([domainOf(index)], { siteId: `s${index}` }),
    ),
  );
  const sites = Array.from({ length: siteCount }, (_, index) => ({
    id: `s${index}`,
    name: `Site ${index}`,
    domains: [domainOf(index)],
    // 127.0.1.1, 127.0.1.2 and on: each site has an upstream of its own, and all are this machine.
    backend_url: `http://127.0.1.${(index % 250) + 1}:${upstreamPort}`,
    ssl: { enabled: true },
    healthCheck: { enabled: true, interval: 30 },
    rate_limit: { enabled: true, capacity: 100_000 },
    bot_protection: { enabled: false },
    rules: [
      {
        id: `rule-${index}`,
        name: 'No admin',
        siteId: `s${index}`,
        conditions: {
          rules: [{ field: 'path' as const, operator: 'starts_with' as const, value: `/admin-${index}` }],
        },
      },
    ],
  }));
  return snapshot({ certificates, sites });
}

/** Opens a connection, asks once and leaves it open. */
async function idleClient(ports: Ports, index: number): Promise<Socket> {
  const host = domainOf(index);
  const secure = index % 2 === 1;
  const socket = secure
    ? connectTls({ host: '127.0.0.1', port: ports.httpsPort, servername: host, rejectUnauthorized: false })
    : connectClear(ports.httpPort, '127.0.0.1');
  await once(socket, secure ? 'secureConnect' : 'connect');
  socket.write(`GET /shelf?page=${index} HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: Mozilla/5.0\r\n\r\n`);
  await once(socket, 'data');
  return socket;
}

/** Requests on connections of their own, to all sites in turn, clear and over TLS. */
async function traffic(ports: Ports, requests: number): Promise<void> {
  const agent = new TlsAgent({ keepAlive: false });
  let sent = 0;
  const ask = async (): Promise<void> => {
    while (sent < requests) {
      const index = sent++;
      const host = domainOf(index);
      const options = {
        host: '127.0.0.1',
        path: `/a/${index}?q=some+words+${index}`,
        headers: { Host: host },
      };
      const going =
        index % 8 === 1
          ? requestTls({
              ...options,
              agent,
              port: ports.httpsPort,
              servername: host,
              rejectUnauthorized: false,
            })
          : requestClear({ ...options, port: ports.httpPort });
      const [answer] = await once(going.end(), 'response');
      await once(answer.resume(), 'end');
    }
  };
  await Promise.all(Array.from({ length: 32 }, ask));
  agent.destroy();
}

/**
 * Memory of one worker at 200 sites, each with upstream, certificate and rule of its own, and 1,000 clients that keep
 * their connection open, half of them over TLS. Flags: `--requests=N` in the traffic between (20,000).
 */
export async function run(args: readonly string[]): Promise<BenchmarkResult> {
  const requests = Number(args.find((arg) => arg.startsWith('--requests='))?.split('=')[1] ?? 20_000);
  const dir = mkdtempSync(path.join(tmpdir(), 'portcullis-bench-'));
  const upstream = createServer((_request, response) => response.end('x'.repeat(1024)));
  upstream.listen(0, '0.0.0.0');
  await once(upstream, 'listening');
  const file = path.join(dir, 'snapshot.json');
  writeFileSync(file, JSON.stringify(await manySites((upstream.address() as AddressInfo).port)));
  const start = async (): Promise<[ChildProcess, Ports]> => {
    const env = { ...gatewayRuntime, ...process.env, NODE_COMPILE_CACHE: path.join(dir, 'code') };
    const child = fork(path.join(import.meta.dirname, 'gateway/many-sites.ts'), [file, dir], { env });
    const [ports] = (await once(child, 'message')) as [Ports];
    return [child, ports];
  };
  // As the launcher runs it: with its settings, and not the first time, when the code is compiled for the cache.
  const [first] = await start();
  first.kill('SIGTERM');
  await once(first, 'exit');
  const [worker, ports] = await start();
  try {
    const rows = [await sample(worker, 'started')];
    rows.push(await sample(worker, `${siteCount} sites`, 'configure'));
    const clients: Socket[] = [];
    for (let index = 0; index < clientCount; index++) clients.push(await idleClient(ports, index));
    rows.push(await sample(worker, `and ${clientCount} idle clients`));
    await traffic(ports, requests);
    rows.push(await sample(worker, `after ${requests} requests between`));
    await delay(15_000);
    rows.push(await sample(worker, '15 s later'));
    for (const client of clients) client.destroy();
    return {
      title: `Gateway: memory of one worker, ${siteCount} sites, ${clientCount} idle clients`,
      notes: [
        'with the settings of the launcher, its code cached; half of the clients over TLS',
        'resident memory as the system counts it, some 50 MB of it shared by all workers; heap as V8 counts it',
      ],
      rows,
    };
  } finally {
    worker.kill('SIGTERM');
    await once(worker, 'exit');
    upstream.closeAllConnections();
    upstream.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function sample(worker: ChildProcess, at: string, message = 'sample') {
  worker.send(message);
  const [memory] = (await once(worker, 'message')) as [Record<'heapUsed' | 'heapTotal' | 'external', number>];
  const mb = (bytes: number) => Math.round(bytes / 1024 / 1024);
  return {
    at,
    'memory MB': Math.round(residentMb([worker.pid ?? 0])),
    'heap used MB': mb(memory.heapUsed),
    'heap MB': mb(memory.heapTotal),
    'buffers MB': mb(memory.external),
  };
}
