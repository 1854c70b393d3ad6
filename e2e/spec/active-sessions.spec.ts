import { expect, type Page, test } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from '../product/accessible.ts';
import { breakCall, enter, type Staffed, startStaffed, viewer } from '../product/staff.ts';

test.describe
  .serial('Active Sessions', () => {
    let staffed: Staffed;
    let page: Page;
    const rows = () => page.getByRole('table', { name: 'Active Sessions' }).getByRole('row');

    test.beforeAll(async ({ browser }) => {
      staffed = await startStaffed();
      page = await enter(browser, staffed.product, viewer);
      await page.goto(`${staffed.product.console}/profile/sessions`);
    });
    test.afterAll(async () => {
      await page.context().close();
      await staffed.stop();
    });

    test('shows this session with device and address, and nothing to revoke', async () => {
      await expect(rows()).toHaveCount(2);
      await expect(rows().nth(1)).toContainText('This session');
      await expect(rows().nth(1)).toContainText('127.0.0.1');
      await expect(rows().nth(1)).toContainText('on Linux');
      await expect(page.getByRole('button', { name: 'Revoke all others' })).toBeDisabled();
      await expectAccessible(page);
    });

    test('revokes one session, after a question', async ({ browser }) => {
      const other = await enter(browser, staffed.product, viewer);
      await page.reload();
      await expect(rows()).toHaveCount(3);
      await page.getByRole('button', { name: /^Revoke .* at 127\.0\.0\.1$/ }).click();
      await expect(page.getByRole('dialog')).toContainText('Revoke this session?');
      await expectAccessible(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await expect(page.getByText('Session revoked')).toBeVisible();
      await expect(rows()).toHaveCount(2);
      await other.reload();
      await expect(other).toHaveURL(/\/login/);
      await other.context().close();
    });

    test('revokes all others at once', async ({ browser }) => {
      const others = [
        await enter(browser, staffed.product, viewer),
        await enter(browser, staffed.product, viewer),
      ];
      await page.reload();
      await expect(rows()).toHaveCount(4);
      await page.getByRole('button', { name: 'Revoke all others' }).click();
      await expect(page.getByRole('dialog')).toContainText('2 other sessions are signed out at once.');
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke all others' }).click();
      await expect(page.getByText('All other sessions revoked')).toBeVisible();
      await expect(rows()).toHaveCount(2);
      for (const other of others) {
        await other.reload();
        await expect(other).toHaveURL(/\/login/);
        await other.context().close();
      }
    });

    test('says when the list cannot be loaded, with a way to try again', async () => {
      const mend = await breakCall(page, '/auth/sessions');
      await page.reload();
      await expect(page.getByText('Failed to load sessions')).toBeVisible();
      await mend();
      await page.getByRole('button', { name: 'Retry' }).click();
      await expect(rows()).toHaveCount(2);
    });

    test('fits a phone', async () => {
      await page.setViewportSize({ width: 360, height: 780 });
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
    });
  });
