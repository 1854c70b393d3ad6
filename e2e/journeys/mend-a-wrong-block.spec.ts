import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from '../product/accessible.ts';
import { signIn } from '../product/api.ts';
import { type Product, startProduct } from '../product/product.ts';
import { ask, startUpstream } from '../product/upstream.ts';

const account = { email: 'ada@example.com', password: 'Correct-horse-7!' };
const host = 'shop.example.com';
const attack = "1'%20UNION%20SELECT%20password%20FROM%20users--";

/** From a harmless request that was blocked to the same request passing, and back. */
test.describe
  .serial('a wrong block', () => {
    let product: Product;
    let upstream: Awaited<ReturnType<typeof startUpstream>>;
    let page: Page;
    const status = async (path: string) => (await ask({ port: product.gatewayPort, host, path })).status;

    test.beforeAll(async ({ browser }) => {
      upstream = await startUpstream((_request, response) => response.end('fine'));
      product = await startProduct({
        environment: { PORTCULLIS_ADMIN_EMAIL: account.email, PORTCULLIS_ADMIN_PASSWORD: account.password },
      });
      const api = await signIn(product.console, account.email, account.password);
      await api.post('/sites', { name: 'Shop', domains: [host], backend_url: upstream.url });
      await expect.poll(() => status('/')).toBe(200);
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

    test('is allowed from its event, and passes from then on', async () => {
      await page.goto(`${product.console}/logs`);
      await expect(page.getByText('Connected', { exact: true })).toBeVisible();
      expect(await status(`/notes?text=${attack}`)).toBe(403);
      const events = page.getByRole('region', { name: 'Live events, newest first' }).getByRole('listitem');
      await events.filter({ hasText: '/notes' }).first().click();
      await page.getByRole('dialog', { name: 'Event' }).getByRole('button', { name: 'Allow this' }).click();
      const form = page.getByRole('dialog', { name: 'Allow this' });
      await expect(form.getByRole('status')).toContainText('in text of GET requests to /notes');
      await expectAccessible(page);
      await form.getByLabel('Note').fill('Editors write about SQL');
      await form.getByRole('button', { name: 'Allow', exact: true }).click();
      await expect(page.getByText('Allowed. Requests like this pass from now on')).toBeVisible();
      await expect.poll(() => status(`/notes?text=${attack}`)).toBe(200);
    });

    test('leaves every other parameter and path inspected', async () => {
      expect(await status(`/notes?id=${attack}`)).toBe(403);
      expect(await status(`/other?text=${attack}`)).toBe(403);
      expect(await status('/notes?text=%3Cscript%3Ealert(document.cookie)%3C/script%3E')).toBe(403);
    });

    test('is inspected again once the exceptions are removed', async () => {
      await page.goto(`${product.console}/protection`);
      await page.getByRole('combobox', { name: 'Select a site' }).click();
      await page.getByRole('option', { name: /Shop/ }).click();
      const table = page.getByRole('table', { name: 'Exceptions' });
      const removes = table.getByRole('button', { name: /Remove exception/ });
      await expect(removes.first()).toBeVisible();
      await expect(table).toContainText('GET /notes');
      await expectAccessible(page);
      for (let left = await removes.count(); left > 0; left--) {
        await removes.first().click();
        await page
          .getByRole('alertdialog')
          .or(page.getByRole('dialog'))
          .getByRole('button', { name: 'Remove exception' })
          .click();
        await expect(removes).toHaveCount(left - 1);
      }
      await expect(page.getByText('No exceptions')).toBeVisible();
      await expect.poll(() => status(`/notes?text=${attack}`)).toBe(403);
    });
  });
