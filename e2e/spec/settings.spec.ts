import { expect, type Page, test } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from '../product/accessible.ts';
import { admin, breakCall, enter, operator, type Staffed, startStaffed, viewer } from '../product/staff.ts';
import { ask, startUpstream } from '../product/upstream.ts';

/** Label, bounds and default of each number among the settings. */
const numbers = {
  general: [
    ['Log retention (days)', 1, 365, 30],
    ['Log size (GB)', 1, 10_000, 20],
    ['Configuration history (days)', 1, 3650, 90],
    ['Versions kept in any case', 10, 10_000, 100],
    ['Max concurrent connections', 100, 100_000, 10_000],
    ['Request timeout (seconds)', 5, 300, 30],
    ['Connect timeout (seconds)', 1, 60, 10],
    ['Header timeout (seconds)', 1, 300, 20],
    ['Body timeout (seconds)', 5, 86_400, 300],
    ['Idle timeout (seconds)', 5, 86_400, 300],
    ['Keep-alive timeout (seconds)', 1, 3600, 65],
    ['Total timeout (seconds)', 0, 86_400, 0],
    ['Health check interval (seconds)', 10, 300, 30],
  ],
  security: [
    ['Session timeout (seconds)', 300, 86_400, 3600],
    ['Max login attempts', 3, 20, 5],
    ['Lockout duration (seconds)', 60, 3600, 900],
    ['Minimum password length', 6, 32, 8],
    ['Requests per minute', 10, 1000, 100],
  ],
} as const;

test.describe
  .serial('Settings', () => {
    let staffed: Staffed;
    let page: Page;
    const tab = (name: string) =>
      page.getByRole('navigation', { name: 'Settings sections' }).getByRole('link', { name });
    const save = (name: string) => page.getByRole('button', { name });
    const words = (from: number, to: number) =>
      `Enter a whole number from ${from.toLocaleString('en-US')} to ${to.toLocaleString('en-US')}`;

    async function refusesOutOfBounds(fields: (typeof numbers)[keyof typeof numbers], button: string) {
      for (const [label, min, max, present] of fields) {
        const field = page.getByLabel(label, { exact: true });
        await expect(field, label).toHaveValue(String(present));
        // A minus sign cannot be typed.
        for (const wrong of min > 0 ? [min - 1, max + 1] : [max + 1]) {
          await field.fill(String(wrong));
          await save(button).click();
          await expect(page.getByText(words(min, max)), `${label} ${wrong}`).toBeVisible();
          await expect(field).toBeFocused();
        }
        await field.fill(String(present));
      }
    }

    test.beforeAll(async ({ browser }) => {
      staffed = await startStaffed();
      page = await enter(browser, staffed.product, admin);
      await page.getByRole('link', { name: 'Settings' }).click();
    });
    test.afterAll(async () => {
      await page.context().close();
      await staffed.stop();
    });

    test('opens on General, with four tabs and the stored values', async () => {
      await expect(page.getByTestId('header-title')).toHaveText('Settings');
      for (const name of ['General', 'Security', 'Notifications', 'Appearance']) {
        await expect(tab(name)).toBeVisible();
      }
      await expect(tab('General')).toHaveAttribute('aria-current', 'page');
      await expect(page.getByLabel('System name')).toHaveValue('Portcullis');
      await expect(page.getByLabel('Enable automatic health checks')).toBeChecked();
      await expect(page.getByLabel('Maintenance mode (blocks all traffic)')).not.toBeChecked();
      const timezone = page.getByRole('combobox', { name: 'Timezone' });
      await expect(timezone).toHaveValue('UTC');
      await timezone.click();
      const usual = ['UTC', 'Eastern', 'Central', 'Mountain', 'Pacific', 'London', 'Berlin', 'Tokyo'];
      for (const [index, zone] of usual.entries()) {
        await expect(page.getByRole('option').nth(index)).toHaveText(zone);
      }
      await timezone.fill('sydney');
      await expect(page.getByRole('option')).toHaveText(['Australia/Sydney']);
      await page.keyboard.press('Escape');
      await expectAccessible(page);
    });

    test('keeps every number of General within its bounds', async () => {
      await refusesOutOfBounds(numbers.general, 'Save General Settings');
    });

    test('asks before unsaved changes are left behind', async () => {
      await page.getByLabel('System name').fill('Front gate');
      await expect(page.getByText('Unsaved changes')).toBeVisible();
      await tab('Security').click();
      await page.getByRole('button', { name: 'Keep editing' }).click();
      await expect(page.getByLabel('System name')).toHaveValue('Front gate');
      await page.getByRole('button', { name: 'Reset' }).click();
      await expect(page.getByLabel('System name')).toHaveValue('Portcullis');
    });

    test('stores General for good', async () => {
      await page.getByLabel('System name').fill('Front gate');
      await page.getByLabel('Log retention (days)').fill('90');
      await save('Save General Settings').click();
      await expect(page.getByText('General settings saved successfully')).toBeVisible();
      await page.reload();
      await expect(page.getByLabel('System name')).toHaveValue('Front gate');
      await expect(page.getByLabel('Log retention (days)')).toHaveValue('90');
    });

    test('maintenance mode blocks all traffic, after a question', async () => {
      const upstream = await startUpstream((_request, response) => response.end('open'));
      await staffed.api.post('/sites', {
        name: 'Shop',
        domains: ['shop.example.com'],
        backend_url: upstream.url,
      });
      const answer = async () =>
        (await ask({ port: staffed.product.gatewayPort, host: 'shop.example.com' })).status;
      await expect.poll(answer).toBe(200);
      await page.getByLabel('Maintenance mode (blocks all traffic)').check();
      await save('Save General Settings').click();
      await expect(page.getByRole('dialog')).toContainText('Block all traffic?');
      await expectAccessible(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Block all traffic' }).click();
      await expect(page.getByText('General settings saved successfully')).toBeVisible();
      await expect.poll(answer).toBe(503);
      await page.getByLabel('Maintenance mode (blocks all traffic)').uncheck();
      await save('Save General Settings').click();
      await expect.poll(answer).toBe(200);
      await upstream.stop();
    });

    test('says when saving fails, and keeps what was typed', async () => {
      const mend = await breakCall(page, '/settings/general');
      await page.getByLabel('System name').fill('Back gate');
      await save('Save General Settings').click();
      await expect(page.getByText('Failed to save settings')).toBeVisible();
      await expect(page.getByLabel('System name')).toHaveValue('Back gate');
      await mend();
      await page.getByRole('button', { name: 'Reset' }).click();
    });

    test('says when loading fails, with a way to try again', async () => {
      const mend = await breakCall(page, '/settings/security');
      await tab('Security').click();
      await expect(page.getByText('Failed to load settings')).toBeVisible();
      await mend();
      await page.getByRole('button', { name: 'Retry' }).click();
      await expect(page.getByLabel('Max login attempts')).toBeVisible();
    });

    test('keeps every number of Security within its bounds', async () => {
      await refusesOutOfBounds(numbers.security, 'Save Security Settings');
      await expectAccessible(page);
    });

    test('switches fields off with what they belong to', async () => {
      await page.getByLabel('Enable rate limiting').uncheck();
      await expect(page.getByLabel('Requests per minute')).toBeDisabled();
      await page.getByLabel('Enable CORS').uncheck();
      await expect(page.getByRole('textbox', { name: 'Allowed origins' })).toBeDisabled();
      await page.getByRole('button', { name: 'Reset' }).click();
      await expect(page.getByLabel('Requests per minute')).toBeEnabled();
    });

    test('stores what was changed alone: what another stored meanwhile stays', async () => {
      await staffed.api.put('/settings/security', { lockoutDuration: 600 });
      await page.getByLabel('Session timeout (seconds)').fill('7200');
      await save('Save Security Settings').click();
      await expect(page.getByText('Security settings saved successfully')).toBeVisible();
      await expect(page.getByLabel('Lockout duration (seconds)')).toHaveValue('600');
      const kept = { sessionTimeout: 7200, lockoutDuration: 600 };
      expect(await staffed.api.get('/settings/security')).toMatchObject(kept);
    });

    test('a stored password rule binds the password forms', async () => {
      for (const rule of ['special characters', 'numbers', 'uppercase letters']) {
        await expect(page.getByLabel(`Require ${rule}`)).toBeChecked();
      }
      await page.getByLabel('Minimum password length').fill('12');
      await save('Save Security Settings').click();
      await expect(page.getByText('Security settings saved successfully')).toBeVisible();
      await page.goto(`${staffed.product.console}/profile/password`);
      await expect(page.getByText('At least 12 characters')).toBeVisible();
      await page.goto(`${staffed.product.console}/settings?tab=appearance`);
    });

    test('Appearance is stored with the account and applies at once', async ({ browser }) => {
      await expect(page.getByText('English only', { exact: true })).toBeVisible();
      const theme = page.getByRole('radiogroup', { name: 'Theme' });
      for (const name of ['Dark', 'Light', 'Auto']) {
        await expect(theme.getByRole('radio', { name })).toBeAttached();
      }
      await theme.getByText('Light').click();
      await page.getByLabel('Start with the sidebar collapsed').check();
      await save('Save Appearance').click();
      await expect(page.getByText('Appearance saved successfully')).toBeVisible();
      await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'light');
      const elsewhere = await enter(browser, staffed.product, admin);
      await expect(elsewhere.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'light');
      await expect(elsewhere.getByRole('button', { name: 'Expand sidebar' })).toBeVisible();
      await elsewhere.context().close();
      await expectAccessible(page);
    });

    test('fits a phone on every tab', async () => {
      await page.setViewportSize({ width: 360, height: 780 });
      for (const name of ['General', 'Security', 'Notifications', 'Appearance']) {
        await tab(name).click();
        await expect(page.getByRole('form').first()).toBeVisible();
        await expectNoSidewaysScroll(page);
      }
      await page.setViewportSize({ width: 1440, height: 900 });
    });

    test('an operator looks but does not change; a viewer sees nothing', async ({ browser }) => {
      const looking = await enter(browser, staffed.product, operator);
      await looking.goto(`${staffed.product.console}/settings?tab=security`);
      await expect(looking.getByText('Changing them needs the permission settings:update')).toBeVisible();
      await expect(looking.getByLabel('Max login attempts')).toBeDisabled();
      await expect(looking.getByRole('button', { name: 'Save Security Settings' })).toHaveCount(0);
      await expect(looking.getByText('Advanced Security')).toHaveCount(0);
      await looking.context().close();
      const shut = await enter(browser, staffed.product, viewer);
      await expect(shut.getByRole('link', { name: 'Settings', exact: true })).toHaveCount(0);
      await shut.goto(`${staffed.product.console}/settings`);
      await expect(shut.getByRole('heading', { name: 'Access Restricted' })).toBeVisible();
      await shut.context().close();
    });

    test('a new token key ends every session, after a question', async ({ browser }) => {
      const other = await enter(browser, staffed.product, operator);
      await tab('Security').click();
      await expect(page.getByRole('heading', { name: 'Advanced Security' })).toBeVisible();
      await expect(page.getByText('Changing the key invalidates all sessions, this one too.')).toBeVisible();
      const key = page.getByRole('textbox', { name: 'JWT secret key' });
      await expect(key).toHaveValue('');
      await key.fill('too short');
      await page.getByRole('button', { name: 'Set key' }).click();
      await expect(page.getByText('The key must have at least 32 characters')).toBeVisible();
      await page.getByRole('button', { name: 'Rotate' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Rotate' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Change key and end sessions' }).click();
      await expect(page).toHaveURL(/\/login/);
      await other.reload();
      await expect(other).toHaveURL(/\/login/);
      await other.context().close();
    });
  });
