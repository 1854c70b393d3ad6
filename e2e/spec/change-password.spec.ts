import { expect, type Page, test } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from '../product/accessible.ts';
import { breakCall, enter, type Staffed, startStaffed, viewer } from '../product/staff.ts';

const next = 'Next-password-2!';

test.describe
  .serial('Change Password', () => {
    let staffed: Staffed;
    let page: Page;
    const field = (name: string) => page.getByRole('textbox', { name, exact: true });
    const send = () => page.getByRole('main').getByRole('button', { name: 'Change Password' });
    const rule = (text: string) =>
      page
        .getByRole('list', { name: 'The new password has' })
        .getByRole('listitem')
        .filter({ hasText: text });

    test.beforeAll(async ({ browser }) => {
      staffed = await startStaffed();
      page = await enter(browser, staffed.product, viewer);
      await page.goto(`${staffed.product.console}/profile/password`);
    });
    test.afterAll(async () => {
      await page.context().close();
      await staffed.stop();
    });

    test('ticks off each rule while the new password is typed', async () => {
      const rules = [
        ['At least 8 characters', 'Abcdefg1'],
        ['One uppercase letter', 'A'],
        ['One lowercase letter', 'a'],
        ['One number', '1'],
        ['One special character (!@#$%^&*)', '!'],
      ] as const;
      for (const [text, enough] of rules) {
        await field('New password').fill('');
        await expect(rule(text), text).toContainText('not met yet');
        await field('New password').fill(enough);
        await expect(rule(text), text).not.toContainText('not met yet');
      }
      await expectAccessible(page);
    });

    test('shows and hides each of the three fields', async () => {
      for (const name of ['Current password', 'New password', 'Confirm new password']) {
        await expect(field(name)).toHaveAttribute('type', 'password');
        await page.getByRole('button', { name: `Show ${name.toLowerCase()}` }).click();
        await expect(field(name)).toHaveAttribute('type', 'text');
      }
    });

    test('refuses what is missing, too weak or typed differently', async () => {
      await field('New password').fill('abc');
      await field('Confirm new password').fill('abd');
      await send().click();
      await expect(page.getByText('Current password is required').first()).toBeVisible();
      await expect(page.getByText('Password does not meet all requirements')).toBeVisible();
      await expect(page.getByText('Passwords do not match')).toBeVisible();
      await expect(field('Current password')).toBeFocused();
    });

    test('says that the current password is wrong, and what failed on the other side', async () => {
      await field('Current password').fill('not it');
      await field('New password').fill(next);
      await field('Confirm new password').fill(next);
      await send().click();
      await expect(page.getByText('The current password is not correct').first()).toBeVisible();
      const mend = await breakCall(page, '/auth/change-password');
      await send().click();
      await expect(page.getByText('Failed to change password')).toBeVisible();
      await mend();
    });

    test('fits a phone', async () => {
      await page.setViewportSize({ width: 360, height: 780 });
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
      await page.setViewportSize({ width: 1440, height: 900 });
    });

    test('Cancel leads back to the profile, after a question', async () => {
      await page.getByRole('link', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Discard' }).click();
      await expect(page).toHaveURL(/\/profile$/);
    });

    test('changes it, goes to the profile, and ends the other sessions', async ({ browser }) => {
      const other = await enter(browser, staffed.product, viewer);
      await page.goto(`${staffed.product.console}/profile/password`);
      await field('Current password').fill(viewer.password);
      await field('New password').fill(next);
      await field('Confirm new password').fill(next);
      await send().click();
      await expect(page.getByText('Password changed successfully')).toBeVisible();
      await expect(page).toHaveURL(/\/profile$/);
      await other.reload();
      await expect(other).toHaveURL(/\/login/);
      await other.context().close();
      const again = await enter(browser, staffed.product, { email: viewer.email, password: next });
      await again.context().close();
    });
  });
