import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from '../product/accessible.ts';
import { enter, operator, type Staffed, startStaffed, viewer } from '../product/staff.ts';

test.describe
  .serial('Edit Profile', () => {
    let staffed: Staffed;
    let page: Page;
    const email = () => page.getByRole('textbox', { name: 'Email' });
    const password = () => page.getByRole('textbox', { name: 'Current password' });
    const save = () => page.getByRole('button', { name: 'Save Profile' });

    test.beforeAll(async ({ browser }) => {
      staffed = await startStaffed();
      page = await enter(browser, staffed.product, viewer);
      await page.goto(`${staffed.product.console}/profile/edit`);
    });
    test.afterAll(async () => {
      await page.context().close();
      await staffed.stop();
    });

    test('stores a display name as it is typed, markup and all', async () => {
      const name = '<b onclick=alert(1)>Alan</b>';
      await expect(page.getByRole('heading', { name: 'Edit Profile', level: 1 })).toBeVisible();
      await page.getByLabel('Display name').fill(name);
      await expect(password()).toHaveCount(0);
      await save().click();
      await expect(page.getByText('Profile updated successfully')).toBeVisible();
      await page.reload();
      await expect(page.getByLabel('Display name')).toHaveValue(name);
      await page.getByRole('navigation', { name: 'Profile sections' }).getByRole('link').first().click();
      await expect(page.getByText(name, { exact: true })).toBeVisible();
      await page.goBack();
      await expectAccessible(page);
    });

    test('asks for the password where the email changes', async () => {
      await email().fill('not an address');
      await save().click();
      await expect(page.getByText('Email is invalid')).toBeVisible();
      await expect(page.getByText('Current password is required')).toBeVisible();
      await email().fill(operator.email);
      await password().fill('wrong');
      await save().click();
      await expect(page.getByText('The current password is not correct').first()).toBeVisible();
      await password().fill(viewer.password);
      await save().click();
      await expect(page.getByText('Another user already has this email').first()).toBeVisible();
      await expectAccessible(page);
    });

    test('signs in with the new email from then on', async ({ browser }) => {
      await email().fill('turing@example.com');
      await password().fill(viewer.password);
      await save().click();
      await expect(page.getByText('Profile updated successfully')).toBeVisible();
      await expect(page.getByRole('banner')).toContainText('turing@example.com');
      const again = await enter(browser, staffed.product, {
        email: 'turing@example.com',
        password: viewer.password,
      });
      await again.context().close();
    });
  });
