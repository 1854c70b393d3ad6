import { expect, type Page, test } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from '../product/accessible.ts';
import { attack, openEvent, type Shop, signedIn, startShop, watchLog } from '../product/shop.ts';
import { ask } from '../product/upstream.ts';

/** From a customer who is banned for a wrong block to the same customer shopping on, whichever worker serves. */
test.describe
  .serial('a ban', () => {
    let shop: Shop;
    let page: Page;
    const customer = '203.0.113.9';
    const status = async (path: string, address = customer) => {
      const headers = { 'x-forwarded-for': address };
      return (await ask({ port: shop.product.gatewayPort, host: shop.host, path, headers })).status;
    };
    /** Each on a connection of its own, which the kernel gives to either worker. */
    const many = async (address = customer) =>
      new Set(await Promise.all(Array.from({ length: 12 }, () => status('/', address))));
    const ban = async (address: string) => {
      for (let block = 0; block < 4; block += 1) await status(`/from-${address}?text=${attack}`, address);
      await expect.poll(() => many(address)).toEqual(new Set([403]));
    };
    const banned = () => page.getByRole('table', { name: 'Bans in Force' });

    test.beforeAll(async ({ browser }) => {
      shop = await startShop();
      await shop.api.put('/settings/security', { trustedProxies: ['127.0.0.1'], banAfterBlocks: 2 });
      page = await signedIn(browser, shop.api.token, shop.product.console);
    });
    test.afterAll(async () => {
      await page.context().close();
      await shop.stop();
    });

    test('holds on every worker, and stands among the bans in force with its reason', async () => {
      await page.goto(`${shop.product.console}/address-lists`);
      await expect(page.getByText('Nobody is banned now')).toBeVisible();
      await expect.poll(() => status('/')).toBe(200);
      await ban(customer);
      await page.reload();
      await expect(banned().getByRole('row', { name: new RegExp(customer) })).toContainText(
        '2 blocked requests within 60 s, the last one: ',
      );
      await expectAccessible(page);
      await page.setViewportSize({ width: 390, height: 844 });
      await expectNoSidewaysScroll(page);
      await expect(banned()).toContainText('Until');
      await page.setViewportSize({ width: 1440, height: 900 });
      await banned().getByRole('link', { name: 'Its events' }).click();
      await expect(page.getByText(`${customer} is banned until`).first()).toBeVisible();
    });

    test('is lifted, and holds on no worker from then on', async () => {
      await page.goto(`${shop.product.console}/address-lists`);
      await page.getByRole('button', { name: `Lift the ban of ${customer}` }).click();
      await expect(page.getByText(`${customer} is let in again`)).toBeVisible();
      await expect(page.getByText('Nobody is banned now')).toBeVisible();
      await expect.poll(() => many()).toEqual(new Set([200]));
    });

    test('is lifted together with what is allowed', async () => {
      await watchLog(page, shop.product.console);
      await ban('203.0.113.10');
      const events = page.getByRole('region', { name: 'Live events, newest first' }).getByRole('listitem');
      await events.filter({ hasText: '/from-203.0.113.10', hasNotText: 'is banned' }).first().click();
      const event = page.getByRole('dialog', { name: 'Event' });
      await event.getByRole('button', { name: 'Allow this' }).click();
      const form = page.getByRole('dialog', { name: 'Allow this' });
      await expect(form.getByRole('checkbox', { name: /Lift the ban of 203\.0\.113\.10 too/ })).toBeChecked();
      await expectAccessible(page);
      await form.getByRole('button', { name: 'Allow', exact: true }).click();
      await expect(page.getByText('203.0.113.10 is let in again')).toBeVisible();
      await expect.poll(() => many('203.0.113.10')).toEqual(new Set([200]));
    });

    test('leads from what it refused to the bans', async () => {
      await watchLog(page, shop.product.console);
      await ban('203.0.113.11');
      // Of many refusals at once only some have an entry of their own.
      const told = page.getByRole('region', { name: 'Live events, newest first' }).getByRole('listitem');
      await expect(async () => {
        await status('/refused', '203.0.113.11');
        await expect(told.filter({ hasText: '/refused' }).first()).toBeVisible({ timeout: 1000 });
      }).toPass({ timeout: 20_000 });
      const event = await openEvent(page, '/refused');
      await event.getByRole('link', { name: 'See the bans' }).click();
      await expect(banned().getByRole('row', { name: /203\.0\.113\.11/ })).toBeVisible();
    });
  });
