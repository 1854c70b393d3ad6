// `npm run screenshots`: every screen of a living demo and one of its events, in both themes, wide and phone, into docs/screenshots.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium, expect, type Page } from '@playwright/test';
import { screens } from './product/screens.ts';
import { type Staged, startStaged } from './product/staged.ts';

const out = path.resolve(import.meta.dirname, '../docs/screenshots');
const themes = ['dark', 'light'] as const;
const widths = [1440, 390] as const;

/** Fonts are there and nothing is loading any more. A screen that never settles is shown as it is, and named. */
async function settled(page: Page, name: string): Promise<void> {
  await page.getByRole('main').waitFor();
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  // A rate needs a second sample, the live log its stream.
  const missing = page
    .locator('.mantine-Skeleton-root')
    .or(page.getByText(/^in\s*–$/))
    .or(page.getByText(/^(Connecting\.\.\.|Waiting for events)$/));
  // What stands below the fold comes when the browser has nothing else to do.
  await page.evaluate('new Promise((then) => requestIdleCallback(() => requestIdleCallback(() => then())))');
  await expect(missing)
    .toHaveCount(0, { timeout: 30_000 })
    .catch(() => console.log(`${name} is still loading after 30 s`));
}

const shoot = (page: Page, name: string) =>
  page.screenshot({ path: path.join(out, `${name}.png`), animations: 'disabled' });

/** The event of an injection, with why it was blocked. */
async function openBlocked(page: Page, address: string): Promise<void> {
  await page.goto(`${address}/logs?view=history&category=sql_injection`);
  await page
    .getByRole('button', { name: /^SQL injection blocked/ })
    .first()
    .click();
  await page.getByRole('dialog').locator('mark').first().waitFor();
}

async function take(browser: Browser, { product, api, siteId }: Staged): Promise<void> {
  const routes = { ...screens, protection: `/protection?site=${siteId}` };
  for (const theme of themes) {
    for (const width of widths) {
      const context = await browser.newContext({ viewport: { width, height: 900 }, reducedMotion: 'reduce' });
      await context.addInitScript(
        ([key, shade]) => {
          localStorage.setItem('token', key ?? '');
          localStorage.setItem('theme', shade ?? '');
        },
        [api.token, theme],
      );
      const page = await context.newPage();
      for (const [name, route] of Object.entries(routes)) {
        await page.goto(`${product.console}${route}`);
        await settled(page, name);
        await shoot(page, `${name}-${theme}-${width}`);
      }
      await openBlocked(page, product.console);
      await shoot(page, `event-${theme}-${width}`);
      await context.close();
    }
  }
}

mkdirSync(out, { recursive: true });
const staged = await startStaged();
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
try {
  await take(browser, staged);
} finally {
  await browser.close();
  await staged.product.stop();
}
