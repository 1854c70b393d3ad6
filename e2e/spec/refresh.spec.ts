import { expect, type Page, test } from '@playwright/test';
import { type Shop, signedIn, startShop } from '../product/shop.ts';
import { breakCall } from '../product/staff.ts';

/** How often each screen asks again for what it shows: seconds, by the path of the call. */
const screens = {
  '/': { '/metrics': 5, '/audit?limit=20': 10, '/monitoring/traffic/hourly': 30, '/audit?limit=10': 30 },
  '/sites': { '/metrics': 5, '/sites': 30 },
  '/protection': { '/metrics': 10, '/metrics?type=threats': 30 },
  '/monitoring': { '/metrics': 5, '/sites': 30 },
};

const lateSeconds = 2.5;

/** Notes each call by its path and the one parameter that tells calls of one path apart, with the page's own time. */
const noteCalls = `{
  const real = fetch;
  window.asked = [];
  window.pending = 0;
  window.fetch = (resource, ...rest) => {
    const { pathname, searchParams } = new URL(resource.url ?? resource, location.href);
    const told = ['limit', 'type'].find((key) => searchParams.has(key));
    asked.push([pathname.replace('/api', '') + (told ? '?' + told + '=' + searchParams.get(told) : ''), Date.now()]);
    pending += 1;
    return real(resource, ...rest).finally(() => (pending -= 1));
  };
}`;

/** With a clock of the page's own, so that no minute passes. */
test.describe
  .serial('what is shown is asked for anew', () => {
    let shop: Shop;
    let page: Page;
    const asked = () => page.evaluate<[string, number][]>('asked');
    const momentsOf = async (call: string) =>
      (await asked()).flatMap(([name, moment]) => (name === call ? [moment] : []));
    /** Lets time pass, a step at a time, each with its answers. */
    const run = async (seconds: number, step = 2.5) => {
      for (let passed = 0; passed < seconds; passed += step) {
        await page.clock.runFor(step * 1000);
        await expect.poll(() => page.evaluate('pending')).toBe(0);
      }
    };
    const show = (visible: boolean) =>
      page.evaluate(`Object.defineProperty(document, 'visibilityState', {
        value: '${visible ? 'visible' : 'hidden'}', configurable: true,
      });
      document.dispatchEvent(new Event('visibilitychange'))`);
    const open = async (route: string) => {
      await page.goto(`${shop.product.console}${route}`);
      await run(2.5);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    };

    test.beforeAll(async ({ browser }) => {
      shop = await startShop();
      page = await signedIn(browser, shop.api.token, shop.product.console);
      await page.addInitScript(noteCalls);
      await page.clock.install();
    });
    test.afterAll(async () => {
      await page.context().close();
      await shop.stop();
    });

    for (const [screen, calls] of Object.entries(screens)) {
      test(`on ${screen}, each call in its own interval`, async () => {
        await open(screen === '/protection' ? `/protection?site=${shop.siteId}` : screen);
        await run(65);
        for (const [call, seconds] of Object.entries(calls)) {
          const moments = await momentsOf(call);
          const gaps = moments.slice(1).map((moment, index) => (moment - (moments[index] ?? 0)) / 1000);
          expect(gaps.length, call).toBeGreaterThanOrEqual(2);
          // The first call may have been made before the screen was there.
          // Beside what is run, the page's time flows: a busy machine adds some to it.
          for (const gap of gaps.slice(1)) {
            expect(gap, call).toBeGreaterThan(seconds - lateSeconds);
            expect(gap, call).toBeLessThan(seconds + lateSeconds);
          }
        }
      });
    }

    test('not while the tab is in the background, where its streams close too', async () => {
      await open('/monitoring');
      const closed = page.waitForEvent('requestfailed', (request) =>
        request.url().includes('/system/stream'),
      );
      await show(false);
      await closed;
      const before = (await asked()).length;
      await run(120, 30);
      expect((await asked()).slice(before)).toEqual([]);
      const stream = page.waitForRequest(/\/system\/stream/);
      await show(true);
      await stream;
    });

    test('once more where it failed, and not for coming back to the window, on Monitoring', async () => {
      await open('/monitoring');
      const mend = await breakCall(page, '/metrics');
      const before = (await momentsOf('/metrics')).length;
      await run(5, 0.5);
      await run(2, 0.5);
      expect(await momentsOf('/metrics')).toHaveLength(before + 2);
      await mend();
      await show(false);
      await show(true);
      expect(await momentsOf('/metrics')).toHaveLength(before + 2);
    });
  });
