import { createServer } from 'node:net';
import type { Settings } from '../environment/index.ts';
import type { Log } from '../log/index.ts';
import type { Ready } from './child.ts';
import { type Supervised, supervise } from './supervisor.ts';

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

/** Starts the service, then the first gateway, then the others on the very ports that the first one got. */
export async function launch(settings: Settings, log: Log, options: LaunchOptions = {}): Promise<Launch> {
  const serviceArgs = ['service', ...(options.demoUpstream ? ['--demo-upstream', options.demoUpstream] : [])];
  let adminPort: NodeJS.ProcessEnv = {};
  const service = supervise('the service', serviceArgs, () => ({ ...process.env, ...adminPort }), log);
  const gateways: Supervised[] = [];
  const stop = async () => {
    await Promise.all(gateways.map((gateway) => gateway.stop(stopGraceMs)));
    await service.stop(stopGraceMs);
  };
  const taken = await takenPort(settings.PORTCULLIS_HTTP_HOST, settings.PORTCULLIS_HTTP_PORT);
  if (taken) return taken;
  const served = await service.start();
  if (!served.ok) return served;
  adminPort = { PORTCULLIS_ADMIN_PORT: String(served.ready.port) };

  const start = async (number: number, ports: NodeJS.ProcessEnv) => {
    const args = ['gateway', '--id', `gateway-${number}`];
    const gateway = supervise(`gateway-${number}`, args, () => ({ ...process.env, ...ports }), log);
    gateways.push(gateway);
    return gateway.start();
  };
  const first = await start(1, {});
  const ports = first.ok ? gatewayPorts(first.ready) : {};
  const others = first.ok
    ? Array.from({ length: settings.PORTCULLIS_GATEWAY_WORKERS - 1 }, (_, i) => i + 2)
    : [];
  const started = [first, ...(await Promise.all(others.map((number) => start(number, ports))))];
  const failed = started.find((outcome) => !outcome.ok);
  if (first.ok && !failed)
    return { ok: true, running: { service: served.ready, gateway: first.ready, stop } };
  await stop();
  return failed ?? { ok: false, message: 'no gateway was started' };
}

/**
 * Gateways share their port by SO_REUSEPORT, which would also let a second installation of the same user in
 * and split the traffic between the two. So the launcher asks first, without sharing.
 */
function takenPort(host: string, port: number): Promise<Extract<Launch, { ok: false }> | undefined> {
  const { promise, resolve } = Promise.withResolvers<Extract<Launch, { ok: false }> | undefined>();
  const probe = createServer();
  probe.on('error', (error: NodeJS.ErrnoException) =>
    resolve({
      ok: false,
      message: `the gateway cannot listen on ${host}:${port} (${error.code})`,
      mend:
        error.code === 'EADDRINUSE'
          ? 'stop what listens there, or choose another port with PORTCULLIS_HTTP_PORT'
          : 'choose another PORTCULLIS_HTTP_HOST or PORTCULLIS_HTTP_PORT; ports below 1024 need root',
    }),
  );
  probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(undefined)));
  return promise;
}

function gatewayPorts(ready: Ready): NodeJS.ProcessEnv {
  const https = ready.httpsPort === undefined ? {} : { PORTCULLIS_HTTPS_PORT: String(ready.httpsPort) };
  return { PORTCULLIS_HTTP_PORT: String(ready.port), ...https };
}
