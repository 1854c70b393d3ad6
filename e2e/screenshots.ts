// `npm run screenshots`: every screen of a living demo, in both themes, wide and phone, into docs/screenshots.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { signIn } from './product/api.ts';
import { type Product, startProduct } from './product/product.ts';
import { screens } from './product/screens.ts';

const out = path.resolve(import.meta.dirname, '../docs/screenshots');
const account = { email: 'ada@example.com', password: 'Correct-horse-7!' };
const themes = ['dark', 'light'] as const;
const widths = [1440, 390] as const;

/** Enough traffic that charts and lists show what they are for. */
async function untilLively(product: Product): Promise<string> {
  const api = await signIn(product.console, account.email, account.password);
  for (;;) {
    const metrics = (await api.get('/metrics')) as { blockedRequests: number };
    if (metrics.blockedRequests >= 40) return api.token;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** Fonts are there and nothing is loading any more. A screen that never settles is shown as it is, and named. */
async function settled(page: Page, name: string): Promise<void> {
  await page.getByRole('main').waitFor();
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  const loaded = "document.querySelector('.mantine-Skeleton-root') === null";
  await page
    .waitForFunction(loaded, undefined, { timeout: 30_000 })
    .catch(() => console.log(`${name} is still loading after 30 s`));
}

async function take(browser: Browser, product: Product, token: string): Promise<void> {
  for (const theme of themes) {
    for (const width of widths) {
      const context = await browser.newContext({ viewport: { width, height: 900 }, reducedMotion: 'reduce' });
      await context.addInitScript(
        ([key, shade]) => {
          localStorage.setItem('token', key ?? '');
          localStorage.setItem('theme', shade ?? '');
        },
        [token, theme],
      );
      const page = await context.newPage();
      for (const [name, route] of Object.entries(screens)) {
        await page.goto(`${product.console}${route}`);
        await settled(page, name);
        await page.screenshot({
          path: path.join(out, `${name}-${theme}-${width}.png`),
          animations: 'disabled',
        });
      }
      await context.close();
    }
  }
}

mkdirSync(out, { recursive: true });
const product = await startProduct({
  args: ['--demo'],
  environment: { PORTCULLIS_ADMIN_EMAIL: account.email, PORTCULLIS_ADMIN_PASSWORD: account.password },
});
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
try {
  await take(browser, product, await untilLively(product));
} finally {
  await browser.close();
  await product.stop();
}
