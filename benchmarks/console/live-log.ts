import type { Browser, CDPSession } from '@playwright/test';

/** What the main thread of the live log did while events came in. */
export interface LiveLog {
  /** the longest task, by processor time and by the clock, in milliseconds */
  readonly longestCpuMs: number;
  readonly longestWallMs: number;
  /** tasks above 50 ms by processor time */
  readonly over50: number;
  /** share of the time that the main thread worked, in percent */
  readonly busyPercent: number;
  /** JavaScript heap after a collection, in megabytes: at a third of the time, and at the end */
  readonly heapEarlyMb: number;
  readonly heapLateMb: number;
  /** what the counter of all events says at the end */
  readonly counted: number;
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

async function heapMb(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 1_048_576;
}

/** The top-level tasks of the page's main thread between start and end of the trace. */
async function traced(session: CDPSession, during: () => Promise<void>): Promise<TraceEvent[]> {
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: {
      includedCategories: ['disabled-by-default-devtools.timeline', 'toplevel'],
      excludedCategories: ['*'],
    },
  });
  await during();
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.end');
  await complete;
  return mainThreadTasks(events);
}

/** The main thread of that renderer which worked most: the tab that was measured. */
function mainThreadTasks(events: readonly TraceEvent[]): TraceEvent[] {
  const mains = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = Map.groupBy(
    events.filter(({ name, ph, pid, tid }) => name === 'RunTask' && ph === 'X' && mains.has(`${pid} ${tid}`)),
    ({ pid, tid }) => `${pid} ${tid}`,
  );
  const work = (of: readonly TraceEvent[]) => of.reduce((sum, { tdur = 0 }) => sum + tdur, 0);
  return [...tasks.values()].sort((a, b) => work(b) - work(a))[0] ?? [];
}

/**
 * Watches the live log under a flood.
 * @param flood two thirds of it, after the heap was measured the first time, run traced
 */
export async function watchLiveLog(
  browser: Browser,
  address: string,
  token: string,
  flood: (seconds: number) => Promise<void>,
  seconds: number,
): Promise<LiveLog> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    const page = await context.newPage();
    await page.addInitScript(`localStorage.setItem('token', ${JSON.stringify(token)})`);
    await page.goto(`${address}/logs`);
    await page.getByText('Connected', { exact: true }).waitFor();
    const session = await context.newCDPSession(page);
    const early = Math.round(seconds / 3);
    await flood(early);
    const heapEarlyMb = await heapMb(session);
    const tasks = await traced(session, () => flood(seconds - early));
    const heapLateMb = await heapMb(session);
    const counter = page.getByText('Total Events', { exact: true }).locator('..');
    const counted = Number((await counter.innerText()).replaceAll(/\D/g, ''));
    const cpu = tasks.map(({ tdur = 0 }) => tdur / 1000);
    return {
      longestCpuMs: Math.max(0, ...cpu),
      longestWallMs: Math.max(0, ...tasks.map(({ dur = 0 }) => dur / 1000)),
      over50: cpu.filter((ms) => ms > 50).length,
      busyPercent: cpu.reduce((sum, ms) => sum + ms, 0) / ((seconds - early) * 10),
      heapEarlyMb,
      heapLateMb,
      counted,
    };
  } finally {
    await context.close();
  }
}
