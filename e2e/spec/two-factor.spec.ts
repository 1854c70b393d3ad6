import { expect, type Page, test } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from '../product/accessible.ts';
import {
  admin,
  breakCall,
  earlyInStep,
  enter,
  operator,
  type Staffed,
  startStaffed,
  totpCode,
} from '../product/staff.ts';

test.describe
  .serial('2FA Settings', () => {
    let staffed: Staffed;
    let page: Page;
    let secret = '';
    let used = '';
    const password = () => page.getByRole('main').getByRole('textbox', { name: 'Password' });
    const button = (name: string) => page.getByRole('main').getByRole('button', { name, exact: true });

    test.beforeAll(async ({ browser }) => {
      staffed = await startStaffed();
      page = await enter(browser, staffed.product, operator);
      await page.getByRole('button', { name: operator.email }).click();
      await page.getByRole('menuitem', { name: '2FA Settings' }).click();
    });
    test.afterAll(async () => {
      await page.context().close();
      await staffed.stop();
    });

    test('starts with the password', async () => {
      await expect(page.getByTestId('header-title')).toHaveText('Profile');
      await expect(page.getByRole('list', { name: 'Steps to enable 2FA' })).toContainText('Setup');
      await button('Enable 2FA').click();
      await expect(page.getByText('Please enter your password').first()).toBeVisible();
      await password().fill('wrong password');
      await button('Enable 2FA').click();
      await expect(page.getByText('The current password is not correct')).toBeVisible();
      const mend = await breakCall(page, '/auth/totp/enable');
      await button('Enable 2FA').click();
      await expect(page.getByText('Failed to enable 2FA')).toBeVisible();
      await mend();
      await expectAccessible(page);
    });

    test('shows QR code and secret, and takes digits alone', async () => {
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      await password().fill(operator.password);
      await button('Enable 2FA').click();
      const picture = page.getByRole('img', { name: 'QR code for your authenticator app' });
      await expect(picture).toBeVisible();
      expect(await picture.evaluate((element) => element.tagName.toLowerCase())).toBe('svg');
      expect(
        asked.filter((address) => !address.startsWith(staffed.product.console)),
        'the secret goes nowhere else',
      ).toEqual([]);
      await page.getByRole('button', { name: 'Copy secret' }).click();
      await expect(page.getByText('Copied to clipboard')).toBeVisible();
      secret = await page.evaluate('navigator.clipboard.readText()');
      await expect(page.getByText(secret, { exact: true })).toBeVisible();
      const code = page.getByLabel('6-digit code');
      await code.fill('12ab3');
      await expect(code).toHaveValue('123');
      await button('Verify & Enable').click();
      await expect(page.getByText('Please enter a 6-digit code').first()).toBeVisible();
      await code.fill(totpCode(secret, 40));
      await button('Verify & Enable').click();
      await expect(page.getByText('The code is not correct or was already used')).toBeVisible();
      const mend = await breakCall(page, '/auth/totp/verify');
      await code.fill('123456');
      await button('Verify & Enable').click();
      await expect(page.getByText('Invalid verification code')).toBeVisible();
      await mend();
      await expectAccessible(page);
    });

    test('Cancel goes back to the first step, with the password cleared', async () => {
      await button('Cancel').click();
      await expect(password()).toHaveValue('');
    });

    test('completes with ten backup codes, each to copy and all at once', async () => {
      await password().fill(operator.password);
      await button('Enable 2FA').click();
      await page.getByRole('button', { name: 'Copy secret' }).click();
      secret = await page.evaluate('navigator.clipboard.readText()');
      await earlyInStep();
      await page.getByLabel('6-digit code').fill(totpCode(secret, -1));
      await button('Verify & Enable').click();
      await expect(page.getByText('2FA enabled successfully')).toBeVisible();
      const codes = page.getByRole('list', { name: 'Backup codes' }).getByRole('listitem');
      await expect(codes).toHaveCount(10);
      await button('Copy All Codes').click();
      const copied = await page.evaluate<string>('navigator.clipboard.readText()');
      expect(copied.split('\n')).toEqual(await codes.allInnerTexts());
      await page.getByRole('button', { name: 'Copy backup code 3' }).click();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(copied.split('\n')[2]);
      await expectAccessible(page);
      await page.getByRole('link', { name: 'Back to Profile' }).click();
      await expect(page).toHaveURL(/\/profile$/);
      await expect(page.getByText('Enabled', { exact: true })).toBeVisible();
    });

    test('renews the backup codes after password and code, shown once', async () => {
      await page.goto(`${staffed.product.console}/profile/2fa`);
      await expect(page.getByText('2FA is enabled.')).toBeVisible();
      await expect(page.getByText('10 codes left')).toBeVisible();
      await button('Generate New Backup Codes').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Generate New Backup Codes' }).click();
      await expect(page.getByText('Please enter your password and 2FA code')).toBeVisible();
      await dialog.getByRole('textbox', { name: 'Password' }).fill(operator.password);
      used = totpCode(secret);
      await dialog.getByLabel('2FA code').fill(used);
      await expectAccessible(page);
      await dialog.getByRole('button', { name: 'Generate New Backup Codes' }).click();
      const codes = page.getByRole('list', { name: 'Backup codes' }).getByRole('listitem');
      await expect(codes).toHaveCount(10);
      await button('I have stored them').click();
      await expect(codes).toHaveCount(0);
    });

    test('fits a phone', async () => {
      await page.setViewportSize({ width: 360, height: 780 });
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
      await page.setViewportSize({ width: 1440, height: 900 });
    });

    test('turns off with password and code', async () => {
      await button('Disable 2FA').click();
      // The message of the question before may still stand beside this one.
      await expect(page.getByText('Please enter your password and 2FA code').last()).toBeVisible();
      await password().fill(operator.password);
      await page.getByRole('main').getByLabel('2FA code').fill(used);
      await button('Disable 2FA').click();
      await expect(page.getByText('The code is not correct or was already used')).toBeVisible();
      const mend = await breakCall(page, '/auth/totp/disable');
      await page.getByRole('main').getByLabel('2FA code').fill('123456');
      await button('Disable 2FA').click();
      await expect(page.getByText('Failed to disable 2FA')).toBeVisible();
      await mend();
      await password().fill(operator.password);
      await page.getByRole('main').getByLabel('2FA code').fill(totpCode(secret, 1));
      await button('Disable 2FA').click();
      await expect(page.getByText('2FA disabled successfully')).toBeVisible();
      await expect(page.getByRole('list', { name: 'Steps to enable 2FA' })).toBeVisible();
      await expect(password()).toHaveValue('');
    });

    test('that becomes required leads everybody to its set-up at once', async ({ browser }) => {
      await page.goto(`${staffed.product.console}/certificates`);
      await expect(page.getByTestId('header-title')).toHaveText('Certificates');
      const own = await enter(browser, staffed.product, admin);
      await own.goto(`${staffed.product.console}/settings?tab=security`);
      await own.getByLabel('Require 2FA for all users').check();
      await own.getByRole('button', { name: 'Save Security Settings' }).click();
      await expect(own).toHaveURL(/\/profile\/2fa$/);
      await page.getByRole('link', { name: 'Sites' }).click();
      for (const each of [own, page]) {
        await expect(each).toHaveURL(/\/profile\/2fa$/);
        await expect(each.getByRole('list', { name: 'Steps to enable 2FA' })).toBeVisible();
      }
      await own.context().close();
    });
  });
