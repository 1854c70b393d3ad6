import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from '../product/accessible.ts';
import { signIn } from '../product/api.ts';
import { type Product, startProduct } from '../product/product.ts';
import { ask, startUpstream } from '../product/upstream.ts';

const account = { email: 'ada@example.com', password: 'Correct-horse-7!' };
const host = 'shop.example.com';
const attacker = '127.0.0.9';

/** From an attack in the log to its sender being refused altogether, and taken off again. */
test.describe
  .serial('an address', () => {
    let product: Product;
    let upstream: Awaited<ReturnType<typeof startUpstream>>;
    let page: Page;
    const status = async (from: string, path = '/') =>
      (await ask({ port: product.gatewayPort, host, path, from })).status;

    test.beforeAll(async ({ browser }) => {
      upstream = await startUpstream((_request, response) => response.end('fine'));
      product = await startProduct({
        environment: { PORTCULLIS_ADMIN_EMAIL: account.email, PORTCULLIS_ADMIN_PASSWORD: account.password },
      });
      const api = await signIn(product.console, account.email, account.password);
      await api.post('/sites', { name: 'Shop', domains: [host], backend_url: upstream.url });
      await expect.poll(() => status(attacker)).toBe(200);
      const context = await browser.newContext();
      page = await context.newPage();
      await page.goto(`${product.console}/login`);
      await page.evaluate(`localStorage.setItem('token', '${api.token}')`);
    });
    test.afterAll(async () => {
      await page.context().close();
      await product.stop();
      await upstream.stop();
    });

    test('is blocked from an event, and its next request is refused', async () => {
      await page.goto(`${product.console}/logs`);
      await expect(page.getByText('Connected', { exact: true })).toBeVisible();
      expect(await status(attacker, "/probe?id=1'%20UNION%20SELECT%20password%20FROM%20users--")).toBe(403);
      const events = page.getByRole('region', { name: 'Live events, newest first' }).getByRole('listitem');
      await events.filter({ hasText: '/probe' }).first().click();
      await page
        .getByRole('dialog', { name: 'Event' })
        .getByRole('button', { name: 'Block this address' })
        .click();
      const form = page.getByRole('dialog', { name: `Block ${attacker}` });
      await expect(form.getByRole('radio', { name: 'On Shop only' })).toBeChecked();
      await expectAccessible(page);
      await form.getByRole('button', { name: 'Block address' }).click();
      await expect(page.getByText(`${attacker} is blocked from now on`)).toBeVisible();
      await expect.poll(() => status(attacker)).toBe(403);
      expect(await status('127.0.0.8')).toBe(200);
    });

    test('is let in again once it is taken off the list', async () => {
      await page.goto(`${product.console}/address-lists`);
      await page.getByRole('button', { name: 'Edit list Blocked from the log' }).click();
      const form = page.getByRole('dialog', { name: 'Edit Address List' });
      const entries = form.getByLabel('Addresses and networks');
      await expect(entries).toHaveValue(attacker);
      await entries.fill('127.0.0.7\nnowhere');
      await form.getByRole('button', { name: 'Update List' }).click();
      await expect(form.getByText('Line 2, "nowhere", is neither an address nor a network')).toBeVisible();
      await expectAccessible(page);
      await entries.fill('127.0.0.7');
      await form.getByRole('button', { name: 'Update List' }).click();
      await expect(form).toBeHidden();
      await expect.poll(() => status(attacker)).toBe(200);
      await expect.poll(() => status('127.0.0.7')).toBe(403);
    });

    test('of a deleted list is like all others', async () => {
      await page.getByRole('button', { name: 'Delete list Blocked from the log' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete list' }).click();
      await expect(page.getByText('No address lists yet')).toBeVisible();
      await expect.poll(() => status('127.0.0.7')).toBe(200);
    });
  });
