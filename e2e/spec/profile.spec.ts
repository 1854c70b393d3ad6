import { expect, type Page, test } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from '../product/accessible.ts';
import {
  admin,
  breakCall,
  earlyInStep,
  enter,
  type Staffed,
  startStaffed,
  totpCode,
} from '../product/staff.ts';

test.describe
  .serial('Profile', () => {
    let staffed: Staffed;
    let page: Page;
    let secret = '';
    const main = () => page.getByRole('main');
    const twoFactor = () => page.getByRole('region', { name: 'Two-Factor Authentication' });

    test.beforeAll(async ({ browser }) => {
      staffed = await startStaffed();
      page = await enter(browser, staffed.product, admin);
      await page.getByRole('button', { name: admin.email }).click();
      await page.getByRole('menuitem', { name: 'Profile', exact: true }).click();
    });
    test.afterAll(async () => {
      await page.context().close();
      await staffed.stop();
    });

    test('shows the account, and the way to all that belongs to it', async () => {
      await expect(page.getByTestId('header-title')).toHaveText('Profile');
      const account = page.getByRole('region', { name: 'Account Information' });
      await expect(account).toContainText(admin.email);
      await expect(account).toContainText('Administrator');
      await expect(account.getByText('Created').locator('..')).toContainText(/\d\d\/\d\d\/\d{4}/);
      const list = page.getByRole('navigation', { name: 'Profile sections' });
      for (const name of [
        'Edit Profile',
        'Change Password',
        '2FA Settings',
        'Active Sessions',
        'API Tokens',
        'Preferences',
      ]) {
        await expect(list.getByRole('link', { name })).toBeVisible();
      }
      await expect(twoFactor().getByText('Disabled', { exact: true })).toBeVisible();
      await expectAccessible(page);
    });

    test('says what could not be started', async () => {
      const mend = await breakCall(page, '/auth/totp/enroll');
      await twoFactor().getByRole('button', { name: 'Enable 2FA' }).click();
      await expect(page.getByText('Failed to enroll TOTP')).toBeVisible();
      await mend();
    });

    test('says that a server gave no secret to verify', async () => {
      await page.route('**/api/auth/totp/enroll', (route) =>
        route.fulfill({ json: { uri: 'otpauth://totp/x', secret: '' } }),
      );
      await twoFactor().getByRole('button', { name: 'Enable 2FA' }).click();
      await page.getByLabel('6-digit code').fill('123456');
      await page.getByRole('button', { name: 'Verify & Enable' }).click();
      await expect(page.getByText('No TOTP secret available')).toBeVisible();
      await page.unrouteAll();
      await twoFactor().getByRole('button', { name: 'Cancel' }).click();
    });

    test('enrolls with QR code and secret, and refuses a wrong code', async () => {
      await twoFactor().getByRole('button', { name: 'Enable 2FA' }).click();
      // The one of the enrollment before may still be there.
      await expect(page.getByText('TOTP enrollment initiated').last()).toBeVisible();
      await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
      await page.getByRole('button', { name: 'Copy secret' }).click();
      await expect(page.getByText('Copied to clipboard')).toBeVisible();
      secret = await page.evaluate('navigator.clipboard.readText()');
      await page.getByRole('button', { name: 'Verify & Enable' }).click();
      await expect(page.getByText('Please enter a 6-digit code').first()).toBeVisible();
      const mend = await breakCall(page, '/auth/totp/verify');
      await page.getByLabel('6-digit code').fill('123456');
      await page.getByRole('button', { name: 'Verify & Enable' }).click();
      await expect(page.getByText('Invalid TOTP code')).toBeVisible();
      await mend();
      await expectAccessible(page);
    });

    test('shows the backup codes once it is on', async () => {
      await earlyInStep();
      await page.getByLabel('6-digit code').fill(totpCode(secret, -1));
      await page.getByRole('button', { name: 'Verify & Enable' }).click();
      await expect(page.getByText('2FA enabled successfully')).toBeVisible();
      await expect(twoFactor().getByText('Enabled', { exact: true })).toBeVisible();
      await expect(page.getByRole('list', { name: 'Backup codes' }).getByRole('listitem')).toHaveCount(10);
      await expect(main().getByRole('button', { name: 'Copy All Codes' })).toBeVisible();
      await expectAccessible(page);
      await main().getByRole('button', { name: 'I have stored them' }).click();
    });

    test('turns it off with the current code', async () => {
      await twoFactor().getByRole('button', { name: 'Disable 2FA' }).click();
      const prompt = page.getByRole('dialog', { name: 'Disable 2FA' });
      const mend = await breakCall(page, '/auth/totp/disable');
      await prompt.getByLabel('6-digit code').fill('123456');
      await prompt.getByRole('button', { name: 'Disable 2FA' }).click();
      await expect(page.getByText('Failed to disable 2FA')).toBeVisible();
      await mend();
      await prompt.getByLabel('6-digit code').fill('');
      await prompt.getByRole('button', { name: 'Disable 2FA' }).click();
      await expect(prompt.getByText('Please enter a 6-digit code')).toBeVisible();
      await expectAccessible(page);
      await prompt.getByLabel('6-digit code').fill(totpCode(secret, 1));
      await prompt.getByRole('button', { name: 'Disable 2FA' }).click();
      await expect(page.getByText('2FA disabled successfully')).toBeVisible();
      await expect(twoFactor().getByText('Disabled', { exact: true })).toBeVisible();
    });

    test('says when the account cannot be loaded, with a way to try again', async () => {
      const mend = await breakCall(page, '/auth/profile');
      await page.reload();
      await expect(page.getByText('Your account could not be loaded')).toBeVisible();
      await mend();
      await page.getByRole('button', { name: 'Retry' }).click();
      await expect(page.getByRole('region', { name: 'Account Information' })).toBeVisible();
    });

    test('fits a phone', async () => {
      await page.setViewportSize({ width: 360, height: 780 });
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
    });
  });
