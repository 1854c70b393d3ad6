import type { Browser, CDPSession, Page } from '@playwright/test';
import { type Weight, weigh } from './weight.ts';

/** As slow as a phone of the middle class beside this machine. */
const slowdown = 4;

/** One cold load of a screen. */
export interface Load extends Weight {
  /** milliseconds from the navigation until the screen shows its content and the main thread answers */
  readonly interactiveMs: number;
  /** milliseconds of processor time that the page's main thread took until then, slowed down */
  readonly busyMs: number;
}

/**
 * Notes when what is asked for stands in the page and the main thread has come to rest behind it: two frames and a
 * task later. Runs in the page, before its own scripts.
 */
const watch = (selector: string) => `
  const look = () => {
    if (!document.querySelector(${JSON.stringify(selector)})) return requestAnimationFrame(look);
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => window.tellInteractive(performance.now()))));
  };
  requestAnimationFrame(look);
`;

async function taskMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
}

/** Opens an address with an empty cache on a slowed-down processor. */
export async function coldLoad(
  browser: Browser,
  address: string,
  selector: string,
  token?: string,
): Promise<Load> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    const page: Page = await context.newPage();
    const session = await context.newCDPSession(page);
    const read = await weigh(session);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const told = Promise.withResolvers<number>();
    await page.exposeFunction('tellInteractive', told.resolve);
    await page.addInitScript(watch(selector));
    if (token) await page.addInitScript(`localStorage.setItem('token', ${JSON.stringify(token)})`);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await page.goto(address);
    const interactiveMs = await told.promise;
    return { interactiveMs, busyMs: await taskMs(session), ...read() };
  } finally {
    await context.close();
  }
}
