import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from '../product/accessible.ts';
import { attack, openEvent, type Shop, signedIn, startShop, watchLog } from '../product/shop.ts';

const attacker = '127.0.0.9';

/** From an attack in the log to its sender being refused altogether, and taken off again. */
test.describe
  .serial('an address', () => {
    let shop: Shop;
    let page: Page;
    const status = (from: string, path = '/') => shop.status(path, from);

    test.beforeAll(async ({ browser }) => {
      shop = await startShop();
      page = await signedIn(browser, shop.api.token, shop.product.console);
    });
    test.afterAll(async () => {
      await page.context().close();
      await shop.stop();
    });

    test('is blocked from an event, and its next request is refused', async () => {
      await watchLog(page, shop.product.console);
      expect(await status(attacker, `/probe?id=${attack}`)).toBe(403);
      const event = await openEvent(page, '/probe');
      await event.getByRole('button', { name: 'Block this address' }).click();
      const form = page.getByRole('dialog', { name: `Block ${attacker}` });
      await expect(form.getByRole('radio', { name: 'On Shop only' })).toBeChecked();
      await expectAccessible(page);
      await form.getByRole('button', { name: 'Block address' }).click();
      await expect(page.getByText(`${attacker} is blocked from now on`)).toBeVisible();
      await expect.poll(() => status(attacker)).toBe(403);
      expect(await status('127.0.0.8')).toBe(200);
    });

    test('is let in again once it is taken off the list', async () => {
      await page.goto(`${shop.product.console}/address-lists`);
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

    test('is blocked for a day, and the list shows until when', async () => {
      await watchLog(page, shop.product.console);
      expect(await status('127.0.0.6', `/probe-again?id=${attack}`)).toBe(403);
      const event = await openEvent(page, '/probe-again');
      await event.getByRole('button', { name: 'Block this address' }).click();
      const form = page.getByRole('dialog', { name: 'Block 127.0.0.6' });
      await form.getByRole('combobox', { name: 'For how long' }).click();
      await page.getByRole('option', { name: 'For 1 day' }).click();
      await form.getByRole('button', { name: 'Block address' }).click();
      await expect(page.getByText(/^127\.0\.0\.6 is blocked until \d/)).toBeVisible();
      await expect.poll(() => status('127.0.0.6')).toBe(403);
      await page.goto(`${shop.product.console}/address-lists`);
      const row = page.getByRole('row', { name: /Blocked from the log/ });
      await expect(row).toContainText(/2\s*1 until \d/);
    });

    test('of a deleted list is like all others', async () => {
      await page.getByRole('button', { name: 'Delete list Blocked from the log' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete list' }).click();
      await expect(page.getByText('No address lists yet')).toBeVisible();
      await expect.poll(() => status('127.0.0.7')).toBe(200);
    });
  });
