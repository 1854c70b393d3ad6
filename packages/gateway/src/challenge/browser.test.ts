import { existsSync } from 'node:fs';
import AxeBuilder from '@axe-core/playwright';
import { type Browser, chromium } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway, startUpstream } from '../testing/index.ts';

const executablePath = '/usr/bin/chromium';
const missing = existsSync(executablePath)
  ? undefined
  : 'Chromium is not installed (apt-get install chromium)';

describe.skipIf(missing !== undefined)(
  `a challenge in a real browser${missing ? ` (${missing})` : ''}`,
  () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    });
    afterAll(() => browser.close());

    const shop = () =>
      startUpstream((request, response) => {
        response.setHeader('Content-Type', 'text/html');
        response.end(`<title>Shop</title><h1>Welcome to ${request.url}</h1>`);
      });

    test('is solved by itself, under its own strict policy, and not asked again', async () => {
      await using upstream = await shop();
      await using gateway = await startGateway({
        sites: [{ backend_url: upstream.url, bot_protection: { enabled: true, difficulty: 'low' } }],
      });
      const context = await browser.newContext();
      const page = await context.newPage();
      const problems: string[] = [];
      page.on('console', (message) => {
        // The challenge itself answers 403, which the browser notes.
        if (message.type() === 'error' && !message.text().includes('403')) problems.push(message.text());
      });
      page.on('pageerror', (error) => problems.push(error.message));
      // Asked for on its own: in the browser a lucky first try may replace the page before anyone looks at it.
      const asked = await context.request.get(`${gateway.url}/cart?x=1`, {
        headers: { accept: 'text/html' },
      });
      expect(await asked.text()).toMatch(/role="status"/);
      expect((await page.goto(`${gateway.url}/cart?x=1`))?.status()).toBe(403);
      await page.getByRole('heading', { name: 'Welcome to /cart?x=1' }).waitFor();
      expect((await page.goto(`${gateway.url}/next`))?.status()).toBe(200);
      const [pass] = await context.cookies();
      expect(pass).toMatchObject({ name: 'portcullis_pass', httpOnly: true, sameSite: 'Lax' });
      expect(problems).toEqual([]);
      await context.close();
    });

    test('by captcha has a form without scripts and a way for who cannot see', async () => {
      await using upstream = await shop();
      await using gateway = await startGateway({
        sites: [{ backend_url: upstream.url, bot_protection: { enabled: true, challenge_mode: 'captcha' } }],
      });
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(`${gateway.url}/cart`);
      expect(
        await page.getByRole('img').evaluate((image: { naturalWidth: number }) => image.naturalWidth),
      ).toBe(260);
      expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
      await page.getByLabel('Characters in the picture').fill('wrong');
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('alert').waitFor();
      await page.getByRole('button', { name: 'Check my browser instead' }).click();
      await page.getByText('Checking your browser').waitFor();
      await context.close();
    });

    test('says without scripts what to do, and breaks no rule of accessibility while it computes', async () => {
      await using upstream = await shop();
      await using gateway = await startGateway({
        sites: [{ backend_url: upstream.url, bot_protection: { enabled: true, difficulty: 'high' } }],
      });
      const silent = await browser.newContext({ javaScriptEnabled: false });
      const plain = await silent.newPage();
      await plain.goto(gateway.url);
      const advice = plain.locator('noscript p');
      await advice.waitFor({ state: 'visible' });
      expect(await advice.innerText()).toMatch(/^JavaScript is switched off in this browser/);
      await silent.close();
      const context = await browser.newContext();
      const page = await context.newPage();
      // Its answer goes nowhere, so that the page stays.
      await page.route('**/.portcullis/challenge', (route) => route.abort());
      await page.goto(gateway.url);
      await page.getByRole('status').getByText(/./).waitFor();
      expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
      await context.close();
    });
  },
);
