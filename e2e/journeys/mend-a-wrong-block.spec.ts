import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from '../product/accessible.ts';
import { attack, openEvent, type Shop, signedIn, startShop, watchLog } from '../product/shop.ts';

/** From a harmless request that was blocked to the same request passing, and back. */
test.describe
  .serial('a wrong block', () => {
    let shop: Shop;
    let page: Page;
    const status = (path: string) => shop.status(path);

    test.beforeAll(async ({ browser }) => {
      shop = await startShop();
      page = await signedIn(browser, shop.api.token, shop.product.console);
    });
    test.afterAll(async () => {
      await page.context().close();
      await shop.stop();
    });

    test('is allowed from its event, and passes from then on', async () => {
      await watchLog(page, shop.product.console);
      expect(await status(`/notes?text=${attack}`)).toBe(403);
      const event = await openEvent(page, '/notes');
      await event.getByRole('button', { name: 'Allow this' }).click();
      const form = page.getByRole('dialog', { name: 'Allow this' });
      await expect(form.getByRole('status')).toContainText('in “text” of GET requests to /notes');
      await expectAccessible(page);
      await form.getByLabel('Note').fill('Editors write about SQL');
      await form.getByRole('button', { name: 'Allow', exact: true }).click();
      await expect(page.getByText('Allowed. Requests like this pass from now on')).toBeVisible();
      await event.getByRole('link', { name: 'Test this request' }).click();
      await expect(page.getByRole('region', { name: 'Result' })).toContainText('Passed');
      await expect.poll(() => status(`/notes?text=${attack}`)).toBe(200);
    });

    test('leaves every other parameter and path inspected', async () => {
      expect(await status(`/notes?id=${attack}`)).toBe(403);
      expect(await status(`/other?text=${attack}`)).toBe(403);
      expect(await status('/notes?text=%3Cscript%3Ealert(document.cookie)%3C/script%3E')).toBe(403);
    });

    test('is inspected again once the exceptions are removed', async () => {
      await page.goto(`${shop.product.console}/protection`);
      await page.getByRole('combobox', { name: 'Select a site' }).click();
      await page.getByRole('option', { name: /Shop/ }).click();
      const injections = page.getByRole('listitem').filter({ hasText: 'SQL Injection' });
      await expect(injections.getByText('protected', { exact: true })).toBeVisible();
      await expect(injections).toContainText('Detected 3 · Blocked 3');
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
