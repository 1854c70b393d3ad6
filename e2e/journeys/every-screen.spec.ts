import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { signIn } from '../product/api.ts';
import { type Product, startProduct } from '../product/product.ts';
import { screens } from '../product/screens.ts';
import { startUpstream } from '../product/upstream.ts';

const account = { email: 'ada@example.com', password: 'Correct-horse-7!' };

async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page }).analyze();
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}

/** Whoever uses the console by keyboard, screen reader or on a phone uses all of it. */
test.describe('every screen', () => {
  let product: Product;
  let upstream: Awaited<ReturnType<typeof startUpstream>>;
  let token: string;
  test.beforeAll(async () => {
    upstream = await startUpstream((_request, response) => response.end('fine'));
    product = await startProduct({
      environment: { PORTCULLIS_ADMIN_EMAIL: account.email, PORTCULLIS_ADMIN_PASSWORD: account.password },
    });
    const api = await signIn(product.console, account.email, account.password);
    token = api.token;
    await api.post('/sites', { name: 'Shop', domains: ['shop.example.com'], backend_url: upstream.url });
  });
  test.afterAll(async () => {
    await product.stop();
    await upstream.stop();
  });

  for (const theme of ['dark', 'light'] as const) {
    test(`has no violation that axe finds, in the ${theme} theme`, async ({ page }) => {
      test.setTimeout(180_000);
      await page.goto(`${product.console}/login`);
      await page.evaluate(`localStorage.setItem('theme', '${theme}')`);
      await page.reload();
      await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
      expect(await violations(page), '/login').toEqual([]);
      await page.evaluate(`localStorage.setItem('token', '${token}')`);
      for (const route of Object.values(screens)) {
        await page.goto(`${product.console}${route}`);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        expect(await violations(page), route).toEqual([]);
      }
    });
  }

  test('fits a phone of 360 px without scrolling sideways', async ({ page }) => {
    test.setTimeout(120_000);
    await page.setViewportSize({ width: 360, height: 760 });
    await page.goto(`${product.console}/login`);
    await page.evaluate(`localStorage.setItem('token', '${token}')`);
    for (const route of Object.values(screens)) {
      await page.goto(`${product.console}${route}`);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      expect(await page.evaluate('document.documentElement.scrollWidth'), route).toBeLessThanOrEqual(360);
    }
  });

  test('loads without a script or style that the policy refuses', async ({ page }) => {
    const refused: string[] = [];
    page.on('console', (message) => {
      if (/Content Security Policy|Refused to/.test(message.text())) refused.push(message.text());
    });
    page.on('pageerror', (error) => refused.push(error.message));
    await page.goto(`${product.console}/login`);
    await page.evaluate(`localStorage.setItem('token', '${token}')`);
    for (const route of Object.values(screens)) {
      const answer = await page.goto(`${product.console}${route}`);
      const policy = answer?.headers()['content-security-policy'];
      expect(policy).toMatch(/script-src 'self'/);
      expect(policy).not.toMatch(/script-src [^;]*unsafe/);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    }
    expect(refused).toEqual([]);
  });
});
