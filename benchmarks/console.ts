import { loadavg } from 'node:os';
import { type Browser, chromium } from '@playwright/test';
import { signIn } from '../e2e/product/api.ts';
import { startProduct } from '../e2e/product/product.ts';
import { createLinkClient, linkSocketPath } from '../packages/cli/src/link/index.ts';
import { createLog } from '../packages/cli/src/log/index.ts';
import { flood } from './console/attacks.ts';
import { coldLoad, type Load } from './console/first-load.ts';
import { watchLiveLog } from './console/live-log.ts';
import { gzippedBytes } from './console/weight.ts';
import type { BenchmarkResult } from './run.ts';

export const onDemand = true;

const account = { email: 'ada@example.com', password: 'Correct-horse-7!' };
const perSecond = 1000;
const loads = 5;

type Row = BenchmarkResult['rows'][number];

const round = (value: number, digits = 0) => Number(value.toFixed(digits));

async function measureLoads(
  browser: Browser,
  screen: string,
  ...[address, selector, token]: [string, string, string?]
): Promise<{ scripts: readonly string[]; rows: Row[] }> {
  const taken: Load[] = [];
  for (let run = 0; run < loads; run++) taken.push(await coldLoad(browser, address, selector, token));
  const sorted = taken.map(({ interactiveMs }) => interactiveMs).sort((a, b) => a - b);
  const last = taken.at(-1);
  const row = (what: string, value: number, unit: string, limit: number | string = ''): Row => ({
    ...{ screen, what, value: round(value, 1), unit, limit },
  });
  const rows = [
    row('scripts over the wire', (last?.scriptBytes ?? 0) / 1024, 'KB'),
    row('styles over the wire', (last?.styleBytes ?? 0) / 1024, 'KB'),
    row('requests', last?.requests ?? 0, ''),
    row('interactive at 4× slowdown, best', sorted[0] ?? 0, 'ms', 1500),
    row('interactive at 4× slowdown, median', sorted[loads >> 1] ?? 0, 'ms', 1500),
    row('main thread until then, least', Math.min(...taken.map(({ busyMs }) => busyMs)), 'ms CPU'),
  ];
  return { scripts: last?.scripts ?? [], rows };
}

/**
 * The console in a real browser against the real service: how heavy and how soon usable the first screens are, and
 * whether the live log stays smooth while a gateway reports a thousand events a second.
 * @param args seconds of the flood (60)
 */
export async function run(args: readonly string[]): Promise<BenchmarkResult> {
  const seconds = Number(args[0] ?? 60);
  const load = loadavg()[0] ?? 0;
  const product = await startProduct({
    environment: { PORTCULLIS_ADMIN_EMAIL: account.email, PORTCULLIS_ADMIN_PASSWORD: account.password },
  });
  const link = createLinkClient(
    linkSocketPath(product.dataDir),
    createLog('bench', (line) => process.stderr.write(line)),
  );
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  try {
    const { token } = await signIn(product.console, account.email, account.password);
    const signInLoads = await measureLoads(
      browser,
      'sign-in',
      `${product.console}/login`,
      'input[type=email]',
    );
    const figures = 'main [class*=_value_]';
    const dashboardLoads = await measureLoads(browser, 'dashboard', product.console, figures, token);
    const both = await gzippedBytes(new Set([...signInLoads.scripts, ...dashboardLoads.scripts]));
    const rows: Row[] = [
      { screen: 'both', what: 'scripts, gzip', value: round(both / 1024, 1), unit: 'KB', limit: 200 },
      ...signInLoads.rows,
      ...dashboardLoads.rows,
    ];
    let sent = 0;
    const send = async (time: number) => {
      sent += (await flood(link.sink, perSecond, time)).sent;
    };
    const live = await watchLiveLog(browser, product.console, token, send, seconds);
    const log = (what: string, value: number, unit: string, limit: number | string = ''): Row => ({
      ...{ screen: 'logs', what, value: round(value, 1), unit, limit },
    });
    rows.push(
      log('longest task', live.longestCpuMs, 'ms CPU', 50),
      log('longest task, by the clock', live.longestWallMs, 'ms'),
      log('tasks above 50 ms CPU', live.over50, '', 0),
      log('main thread busy', live.busyPercent, '%'),
      log(`heap after ${Math.round(seconds / 3)} s`, live.heapEarlyMb, 'MB'),
      log(`heap after ${seconds} s`, live.heapLateMb, 'MB'),
      log('events sent', sent, ''),
      log('events counted on the screen', live.counted, ''),
    );
    const notes = [
      `Chromium, loopback, empty cache, ${loads} loads each; ${perSecond} events/s for ${seconds} s`,
    ];
    notes.push(`load average before: ${round(load, 1)}; by the clock means together with what else ran`);
    return { title: 'Console', notes, rows };
  } finally {
    await browser.close();
    await link.stop();
    await product.stop();
  }
}
