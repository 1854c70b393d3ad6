import { expect, type Page, test } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from '../product/accessible.ts';
import { enter, type Staffed, startStaffed, viewer } from '../product/staff.ts';

test.describe
  .serial('API Tokens', () => {
    let staffed: Staffed;
    let page: Page;
    let secret = '';
    const dialog = () => page.getByRole('dialog');
    const status = async (path: string) =>
      (
        await fetch(`${staffed.product.console}/api${path}`, {
          headers: { authorization: `Bearer ${secret}` },
        })
      ).status;

    test.beforeAll(async ({ browser }) => {
      staffed = await startStaffed();
      page = await enter(browser, staffed.product, viewer);
      await page.goto(`${staffed.product.console}/profile/tokens`);
    });
    test.afterAll(async () => {
      await page.context().close();
      await staffed.stop();
    });

    test('offers only the own permissions, and asks for name and permission', async () => {
      await expect(page.getByText('No API tokens yet')).toBeVisible();
      await page.getByRole('button', { name: 'Create Token' }).click();
      const offered = await dialog().getByRole('checkbox').count();
      expect(offered).toBe(4);
      await dialog().getByRole('button', { name: 'Create Token' }).click();
      await expect(dialog().getByText('Name is required')).toBeVisible();
      await expect(dialog().getByText('Choose at least one permission')).toBeVisible();
      await expectAccessible(page);
    });

    test('shows the secret once, and it opens what it may', async () => {
      await dialog().getByLabel('Name').fill('nightly export');
      await dialog().getByRole('checkbox', { name: 'site:view' }).check();
      await dialog().getByRole('button', { name: 'Create Token' }).click();
      await expect(page.getByText('API token created')).toBeVisible();
      await dialog().getByRole('button', { name: 'Copy token' }).click();
      secret = await page.evaluate('navigator.clipboard.readText()');
      await expect(dialog().getByText(secret, { exact: true })).toBeVisible();
      await expectAccessible(page);
      await dialog().getByRole('button', { name: 'I have stored it' }).click();
      await expect(page.getByText(secret, { exact: true })).toHaveCount(0);
      await expect(page.getByRole('row').filter({ hasText: 'nightly export' })).toContainText('1 permission');
      expect(await status('/sites')).toBe(200);
      expect(await status('/audit')).toBe(403);
    });

    test('revokes it after naming it', async () => {
      await page.getByRole('button', { name: 'Revoke nightly export' }).click();
      await expect(dialog()).toContainText('Revoke nightly export?');
      await dialog().getByRole('button', { name: 'Revoke' }).click();
      await expect(page.getByText('API token revoked')).toBeVisible();
      await expect(page.getByText('No API tokens yet')).toBeVisible();
      expect(await status('/sites')).toBe(401);
    });

    test('fits a phone', async () => {
      await page.setViewportSize({ width: 360, height: 780 });
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
    });
  });
