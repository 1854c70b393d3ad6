import { expect, type Page, test } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from '../product/accessible.ts';
import { signIn } from '../product/api.ts';
import {
  admin,
  arrive,
  breakCall,
  enter,
  operator,
  type Staffed,
  startStaffed,
  totpCode,
  viewer,
} from '../product/staff.ts';

test.describe
  .serial('User Management', () => {
    let staffed: Staffed;
    let page: Page;
    const row = (email: string) => page.getByRole('row').filter({ hasText: email });
    const counter = (label: string) => page.getByText(label, { exact: true }).locator('..');
    const dialog = () => page.getByRole('dialog');
    const idOf = async (email: string) =>
      ((await staffed.api.get('/users')) as { id: string; email: string }[]).find(
        (user) => user.email === email,
      )?.id;

    test.beforeAll(async ({ browser }) => {
      staffed = await startStaffed();
      page = await enter(browser, staffed.product, admin);
      await page.getByRole('link', { name: 'Users' }).click();
    });
    test.afterAll(async () => {
      await page.context().close();
      await staffed.stop();
    });

    test('counts users by role and lists each', async () => {
      await expect(page.getByTestId('header-title')).toHaveText('User Management');
      await expect(page.getByRole('heading', { name: 'User Management', level: 1 })).toBeVisible();
      await expect(counter('Total Users')).toContainText('3');
      for (const label of ['Administrators', 'Operators', 'Viewers']) {
        await expect(counter(label), label).toContainText('1');
      }
      await expect(row(admin.email)).toContainText('Administrator');
      await expect(row(admin.email)).toContainText('You');
      await expect(row(operator.email)).toContainText('Operator');
      await expect(row(viewer.email)).toContainText('Viewer');
      await expect(row(viewer.email)).toContainText('Never');
      await expectAccessible(page);
    });

    test('searches by email and filters by role', async () => {
      const search = page.getByRole('searchbox', { name: 'Search by email' });
      await search.fill('GRACE');
      await expect(page.getByText('1 of 3 shown')).toBeVisible();
      await expect(row(viewer.email)).toHaveCount(0);
      await search.fill('nobody');
      await expect(page.getByText('No user matches these filters')).toBeVisible();
      await page.getByRole('button', { name: 'Clear filters' }).click();
      const roleFilter = page.getByRole('radiogroup', { name: 'Filter by role' });
      for (const [choice, shown] of [
        ['Admin', admin.email],
        ['Operator', operator.email],
        ['Viewer', viewer.email],
      ] as const) {
        await roleFilter.getByText(choice, { exact: true }).click();
        await expect(roleFilter.getByRole('radio', { name: choice, exact: true })).toBeChecked();
        await expect(page.getByText('1 of 3 shown')).toBeVisible();
        await expect(row(shown)).toBeVisible();
      }
      await roleFilter.getByText('All', { exact: true }).click();
      await expect(page.getByText('3 of 3 shown')).toBeVisible();
    });

    test('refuses an incomplete form, each field with its own words', async () => {
      await page.getByRole('button', { name: 'Create User' }).click();
      await expect(dialog().getByRole('combobox', { name: 'Role' })).toHaveValue('Viewer');
      await expect(dialog().getByLabel('Confirm password')).toHaveCount(0);
      const send = dialog().getByRole('button', { name: 'Create User' });
      await send.click();
      await expect(dialog().getByText('Email is required')).toBeVisible();
      await expect(dialog().getByText('Password is required')).toBeVisible();
      await expect(dialog().getByLabel('Email')).toBeFocused();
      await dialog().getByLabel('Email').fill('no address');
      await dialog().getByRole('textbox', { name: 'Password', exact: true }).fill('short');
      await dialog().getByRole('textbox', { name: 'Confirm password' }).fill('other');
      await send.click();
      await expect(dialog().getByText('Email is invalid')).toBeVisible();
      await expect(dialog().getByText('Password must be at least 8 characters')).toBeVisible();
      await expect(dialog().getByText('Passwords do not match')).toBeVisible();
      await expectAccessible(page);
    });

    test('asks before it throws away what was typed', async () => {
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Keep editing' }).click();
      await expect(dialog().getByLabel('Email')).toHaveValue('no address');
      await dialog().getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Discard' }).click();
      await expect(dialog()).toHaveCount(0);
      await expect(page.getByRole('button', { name: 'Create User' })).toBeFocused();
    });

    test('creates a user, and shows what the service refuses', async () => {
      await page.getByRole('button', { name: 'Create User' }).click();
      await dialog().getByLabel('Email').fill(viewer.email);
      await dialog().getByRole('textbox', { name: 'Password', exact: true }).fill('New-user-pass-1!');
      await dialog().getByRole('textbox', { name: 'Confirm password' }).fill('New-user-pass-1!');
      await dialog().getByRole('button', { name: 'Create User' }).click();
      await expect(page.getByText('Another user already has this email').first()).toBeVisible();
      await dialog().getByLabel('Email').fill('joan@example.com');
      await dialog().getByRole('combobox', { name: 'Role' }).click();
      await page.getByRole('option', { name: 'Operator' }).click();
      let sent = 0;
      const release = Promise.withResolvers<void>();
      await page.route('**/api/users', async (route) => {
        if (route.request().method() === 'POST') sent += 1;
        await release.promise;
        await route.continue();
      });
      await dialog().getByRole('button', { name: 'Create User' }).click();
      await expect(dialog().getByRole('button', { name: 'Creating…' })).toBeDisabled();
      await dialog().getByLabel('Email').press('Enter');
      release.resolve();
      await expect(page.getByText('User created successfully')).toBeVisible();
      await expect(row('joan@example.com')).toContainText('Operator');
      expect(sent, 'one request, however often it is asked for').toBe(1);
      await page.unroute('**/api/users');
      await expect(counter('Total Users')).toContainText('4');
    });

    test('edits a user; a blank password keeps the present one', async ({ browser }) => {
      await page.getByRole('button', { name: 'Edit joan@example.com' }).click();
      await expect(dialog().getByRole('heading', { name: 'Edit User' })).toBeVisible();
      await expect(dialog().getByText('Leave blank to keep the current password')).toBeVisible();
      await dialog().getByRole('combobox', { name: 'Role' }).click();
      await page.getByRole('option', { name: 'Viewer' }).click();
      await dialog().getByRole('button', { name: 'Update User' }).click();
      await expect(page.getByText('User updated successfully')).toBeVisible();
      await expect(row('joan@example.com')).toContainText('Viewer');
      const joan = await enter(browser, staffed.product, {
        email: 'joan@example.com',
        password: 'New-user-pass-1!',
      });
      await joan.context().close();
    });

    test("resets another user's 2FA after naming whose, and ends their sessions", async () => {
      const { console: address } = staffed.product;
      const alan = await signIn(address, viewer.email, viewer.password);
      const { secret } = (await alan.post('/auth/totp/enable', { password: viewer.password })) as {
        secret: string;
      };
      await alan.post('/auth/totp/verify', { code: totpCode(secret) });
      const { token } = await signIn(address, viewer.email, viewer.password);
      expect(token, 'the password alone no longer signs in').toBeUndefined();
      await page.reload();
      await expect(row(viewer.email)).toContainText('Enabled');
      await page.getByRole('button', { name: `Edit ${operator.email}` }).click();
      await expect(dialog().getByRole('button', { name: 'Update User' })).toBeVisible();
      await expect(dialog().getByRole('button', { name: 'Reset 2FA' })).toHaveCount(0);
      await dialog().getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: `Edit ${viewer.email}` }).click();
      await dialog().getByRole('button', { name: 'Reset 2FA' }).click();
      const question = page.getByRole('dialog', { name: `Reset 2FA of ${viewer.email}?` });
      await expect(question).toContainText('backup codes are forgotten and their sessions end');
      const mend = await breakCall(page, `/users/${await idOf(viewer.email)}/totp`);
      await question.getByRole('button', { name: 'Reset 2FA' }).click();
      await expect(page.getByText('Failed to reset 2FA')).toBeVisible();
      await mend();
      await expect(question).toHaveCount(0);
      await dialog().getByRole('button', { name: 'Reset 2FA' }).click();
      await question.getByRole('button', { name: 'Reset 2FA' }).click();
      await expect(page.getByText('2FA reset. They sign in with the password alone')).toBeVisible();
      await expect(row(viewer.email)).toContainText('Disabled');
      await expect(dialog()).toHaveCount(0);
      await expect(alan.get('/auth/me')).rejects.toThrow('401');
      await signIn(address, viewer.email, viewer.password);
    });

    test('says what could not be saved and keeps the form', async () => {
      const mend = await breakCall(page, '/users');
      await page.getByRole('button', { name: 'Create User' }).click();
      await dialog().getByLabel('Email').fill('kay@example.com');
      await dialog().getByRole('textbox', { name: 'Password', exact: true }).fill('New-user-pass-1!');
      await dialog().getByRole('textbox', { name: 'Confirm password' }).fill('New-user-pass-1!');
      await dialog().getByRole('button', { name: 'Create User' }).click();
      await expect(page.getByText('Failed to save user')).toBeVisible();
      await mend();
      await dialog().getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Discard' }).click();
    });

    test('deletes a user after naming who, and never the own account', async () => {
      const own = row(admin.email).getByRole('button', { name: 'You cannot delete your own account' });
      await expect(own).toHaveAttribute('aria-disabled', 'true');
      await page.getByRole('button', { name: 'Delete joan@example.com' }).click();
      await expect(dialog()).toContainText('Are you sure you want to delete this user?');
      await expect(dialog()).toContainText('joan@example.com');
      await expectAccessible(page);
      await dialog().getByRole('button', { name: 'Cancel' }).click();
      await expect(row('joan@example.com')).toBeVisible();
      const mend = await breakCall(page, `/users/${await idOf('joan@example.com')}`);
      await page.getByRole('button', { name: 'Delete joan@example.com' }).click();
      await dialog().getByRole('button', { name: 'Delete User' }).click();
      await expect(page.getByText('Failed to delete user')).toBeVisible();
      await mend();
      await expect(row('joan@example.com')).toBeVisible();
      await page.getByRole('button', { name: 'Delete joan@example.com' }).click();
      await dialog().getByRole('button', { name: 'Delete User' }).click();
      await expect(page.getByText('User deleted successfully')).toBeVisible();
      await expect(row('joan@example.com')).toHaveCount(0);
    });

    test('says when the list cannot be loaded, and tries again on request', async () => {
      const mend = await breakCall(page, '/users');
      await page.reload();
      await expect(
        page.getByText('Failed to load users data. Please try refreshing the page.'),
      ).toBeVisible();
      await mend();
      await page.getByRole('button', { name: 'Retry' }).click();
      await expect(row(operator.email)).toBeVisible();
    });

    test('fits a phone', async () => {
      await page.setViewportSize({ width: 360, height: 780 });
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
      await page.setViewportSize({ width: 1440, height: 900 });
    });

    test('is closed to who lacks user:view', async ({ browser }) => {
      for (const account of [operator, viewer]) {
        const other = await arrive(browser, staffed.product, account, '/users');
        await expect(other.getByRole('heading', { name: 'Access Restricted' })).toBeVisible();
        await expect(other.getByRole('link', { name: 'Users' })).toHaveCount(0);
        await expect(other.getByText("You don't have permission to view this content.")).toBeVisible();
        await other.context().close();
      }
    });
  });
