import { createServer } from 'node:net';
import path from 'node:path';
import type { Settings } from '../environment/index.ts';
import type { Log } from '../log/index.ts';
import type { Ready } from './child.ts';
import { gatewayRuntime } from './gateway-runtime.ts';
import { type Supervised, supervise } from './supervisor.ts';

const gatewayPortNames = ['PORTCULLIS_HTTP_PORT', 'PORTCULLIS_HTTPS_PORT'] as const;

/**
 * A gateway needs seconds for its last good configuration, and much longer for a huge one or on an overloaded machine,
 * where starting it again would only add to that. The service may have a database to bring up to date.
 */
const gatewayReadyWithinMs = 5 * 60_000;

/** A little longer than a gateway's own grace for its open requests, so that force is the exception. */
const stopGraceMs = 15_000;

export type Launch =
  | { readonly ok: true; readonly running: Running }
  | { readonly ok: false; readonly message: string; readonly mend?: string };

export interface LaunchOptions {
  /** the demo shop, which the service then protects as a site of its own */
  readonly demoUpstream?: string;
}

/** The product on one machine: one service, and a gateway a core. */
export interface Running {
  readonly service: Ready;
  readonly gateway: Ready;
  /** gateways first, so that their last events still reach the service */
  stop(): Promise<void>;
}

/**
 * Starts the service, which refuses a data folder that another one has, then the gateways. They differ in
 * nothing but their name.
 */
export async function launch(settings: Settings, log: Log, options: LaunchOptions = {}): Promise<Launch> {
  const serviceArgs = ['service', ...(options.demoUpstream ? ['--demo-upstream', options.demoUpstream] : [])];
  // Compiled once for all processes and starts: halves the processor time of a start.
  const compileCache = path.join(settings.PORTCULLIS_DATA_DIR, 'cache', 'code');
  const environment = { NODE_COMPILE_CACHE: compileCache, ...process.env };
  let adminPort: NodeJS.ProcessEnv = {};
  const service = supervise({
    name: 'the service',
    args: serviceArgs,
    environment: () => ({ ...environment, ...adminPort }),
    log,
  });
  const gateways: Supervised[] = [];
  const stop = async () => {
    await Promise.all(gateways.map((gateway) => gateway.stop(stopGraceMs)));
    await service.stop(stopGraceMs);
  };
  for (const name of gatewayPortNames) {
    const taken = await takenPort(settings.PORTCULLIS_HTTP_HOST, settings[name], name);
    if (taken) return taken;
  }
  const served = await service.start();
  if (!served.ok) return served;
  adminPort = { PORTCULLIS_ADMIN_PORT: String(served.ready.port) };

  const start = async (number: number, ports: NodeJS.ProcessEnv) => {
    const args = ['gateway', '--id', `gateway-${number}`];
    const gateway = supervise({
      name: `gateway-${number}`,
      args,
      environment: () => ({ ...gatewayRuntime, ...environment, ...ports }),
      readyWithinMs: gatewayReadyWithinMs,
      log,
    });
    gateways.push(gateway);
    return gateway.start();
  };
  const numbers = Array.from({ length: settings.PORTCULLIS_GATEWAY_WORKERS }, (_, index) => index + 1);
  const started = await startGateways(
    numbers,
    start,
    gatewayPortNames.some((name) => settings[name] === 0),
  );
  const [first] = started;
  const failed = started.find((outcome) => !outcome.ok);
  if (first?.ok && !failed)
    return { ok: true, running: { service: served.ready, gateway: first.ready, stop } };
  await stop();
  return failed ?? { ok: false, message: 'no gateway was started' };
}

type Started = Awaited<ReturnType<Supervised['start']>>;

/** All at once, but where the system picks the port: then the first one, and the others on the port it got. */
async function startGateways(
  numbers: readonly number[],
  start: (number: number, ports: NodeJS.ProcessEnv) => Promise<Started>,
  anyPort: boolean,
): Promise<Started[]> {
  if (!anyPort) return Promise.all(numbers.map((number) => start(number, {})));
  const first = await start(1, {});
  if (!first.ok) return [first];
  const ports = gatewayPorts(first.ready);
  return [first, ...(await Promise.all(numbers.slice(1).map((number) => start(number, ports))))];
}

/**
 * Gateways share their port by SO_REUSEPORT, which would also let a second installation of the same user in
 * and split the traffic between the two. So the launcher asks first, without sharing.
 */
function takenPort(
  host: string,
  port: number,
  name: string,
): Promise<Extract<Launch, { ok: false }> | undefined> {
  const { promise, resolve } = Promise.withResolvers<Extract<Launch, { ok: false }> | undefined>();
  const probe = createServer();
  probe.on('error', (error: NodeJS.ErrnoException) => {
    // Gateways then listen on IPv4 alone.
    if (host === '::' && error.code === 'EAFNOSUPPORT') resolve(takenPort('0.0.0.0', port, name));
    resolve({
      ok: false,
      message: `the gateway cannot listen on ${host}:${port} (${error.code})`,
      mend:
        error.code === 'EADDRINUSE'
          ? `stop what listens there, or choose another port with ${name}`
          : `choose another PORTCULLIS_HTTP_HOST or ${name}; ports below 1024 need root`,
    });
  });
  probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(undefined)));
  return promise;
}

function gatewayPorts(ready: Ready): NodeJS.ProcessEnv {
  const https = ready.httpsPort === undefined ? {} : { PORTCULLIS_HTTPS_PORT: String(ready.httpsPort) };
  return { PORTCULLIS_HTTP_PORT: String(ready.port), ...https };
}
