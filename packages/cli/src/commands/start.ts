import { demoHost } from '../demo/index.ts';
import type { Settings } from '../environment/index.ts';
import { launch, type Running, startChild } from '../launcher/index.ts';
import { createLog } from '../log/index.ts';
import { hearHangUp, trouble } from '../process/index.ts';

/** `portcullis start [--demo]`: everything on this machine, until Ctrl-C or SIGTERM. */
export async function runStart(settings: Settings, options: { demo: boolean }): Promise<void> {
  const log = createLog('portcullis', (line) => process.stderr.write(line));
  const stopped = new Promise<void>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
    // Of a terminal that is closed; else it comes from somebody who wants a reload.
    if (process.stdin.isTTY) process.once('SIGHUP', resolve);
    else hearHangUp(log);
  });
  const demo = options.demo
    ? await startChild({ args: ['demo'], environment: process.env }).started
    : undefined;
  if (demo && !demo.ok) return cannotStart(demo);
  const launched = await launch(
    settings,
    log,
    demo && { demoUpstream: `http://127.0.0.1:${demo.ready.port}` },
  );
  if (!launched.ok) {
    demo?.child.kill('SIGTERM');
    return cannotStart(launched);
  }
  demo?.child.send({ type: 'gateway', port: launched.running.gateway.port });
  process.stdout.write(greeting(settings, launched.running, options.demo));
  await stopped;
  log.info('draining');
  demo?.child.kill('SIGTERM');
  await launched.running.stop();
  log.info('stopped');
}

function cannotStart({ message, mend }: { message: string; mend?: string }): void {
  process.stderr.write(`\n${trouble('Portcullis cannot start: ', message, mend)}`);
  process.exitCode = 1;
}

function greeting(settings: Settings, { service, gateway }: Running, demo: boolean): string {
  const own = `http://${urlHost(settings.PORTCULLIS_ADMIN_HOST)}:${service.port}`;
  const console = settings.PORTCULLIS_PUBLIC_URL ?? own;
  const secure = gateway.httpsPort === undefined ? '' : ` and :${gateway.httpsPort} (HTTPS)`;
  const lines = [
    '',
    'Portcullis is running. Ctrl-C drains and stops it.',
    '',
    `  Console   ${console}`,
    `  Gateway   :${gateway.port} (HTTP)${secure}, ${settings.PORTCULLIS_GATEWAY_WORKERS} process(es)`,
    `  Data      ${settings.PORTCULLIS_DATA_DIR}`,
  ];
  if (service.setupLink) {
    lines.push('', '  Create the first administrator (once, within 30 minutes):', `  ${service.setupLink}`);
  }
  if (demo) lines.push('', `  Demo      http://${demoHost}:${gateway.port}, with traffic to it, hostile too`);
  return `${lines.join('\n')}\n\n`;
}

function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
