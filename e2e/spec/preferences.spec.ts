import { expect, type Page, test } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from '../product/accessible.ts';
import { breakCall, enter, operator, type Staffed, startStaffed } from '../product/staff.ts';

test.describe
  .serial('Preferences', () => {
    let staffed: Staffed;
    let page: Page;
    const html = () => page.locator('html');
    const save = () => page.getByRole('button', { name: 'Save Preferences' });
    const choose = async (field: string, option: string) => {
      await page.getByRole('combobox', { name: field }).click();
      await page.getByRole('option', { name: option, exact: true }).click();
    };
    const saved = async () => {
      await save().click();
      await expect(page.getByText('Preferences saved successfully').last()).toBeVisible();
    };

    test.beforeAll(async ({ browser }) => {
      staffed = await startStaffed();
      page = await enter(browser, staffed.product, operator);
      await page.goto(`${staffed.product.console}/profile/preferences`);
    });
    test.afterAll(async () => {
      await page.context().close();
      await staffed.stop();
    });

    test('starts from the defaults', async () => {
      const on = ['Show tooltips', 'Animations', 'Email notifications', 'Security alerts', 'System updates'];
      for (const label of on) await expect(page.getByLabel(label), label).toBeChecked();
      for (const label of ['Compact mode', 'High contrast', 'Weekly reports']) {
        await expect(page.getByLabel(label), label).not.toBeChecked();
      }
      await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked();
      await expect(page.getByRole('textbox', { name: 'Language' })).toHaveValue('English');
      await expect(page.getByRole('textbox', { name: 'Language' })).toBeDisabled();
      await expect(page.getByRole('combobox', { name: 'Date format' })).toHaveValue('MM/DD/YYYY');
      await page.getByRole('combobox', { name: 'Timezone' }).click();
      for (const zone of ['UTC', 'Eastern', 'Central', 'Mountain', 'Pacific', 'London', 'Paris', 'Tokyo']) {
        await expect(page.getByRole('option', { name: zone, exact: true })).toBeVisible();
      }
      await page.keyboard.press('Escape');
      await expectAccessible(page);
    });

    test('puts theme and display in force at once', async () => {
      await page.getByRole('radiogroup', { name: 'Theme' }).getByText('Light').click();
      await page.getByLabel('Compact mode').check();
      await page.getByLabel('Show tooltips').uncheck();
      await page.getByLabel('Animations').uncheck();
      await page.getByLabel('High contrast').check();
      await saved();
      await expect(html()).toHaveAttribute('data-mantine-color-scheme', 'light');
      await expect(html()).toHaveAttribute('data-density', 'compact');
      await expect(html()).toHaveAttribute('data-tooltips', 'off');
      await expect(html()).toHaveAttribute('data-animations', 'off');
      await expect(html()).toHaveAttribute('data-contrast', 'high');
      const styleOf = (selector: string, property: string) =>
        page.evaluate<string>(
          `getComputedStyle(document.querySelector('${selector}')).getPropertyValue('${property}').trim()`,
        );
      expect(await styleOf(':root', '--pc-row'), 'more rows').toBe('32px');
      expect(Number.parseFloat(await styleOf('main a', 'transition-duration')), 'no motion').toBeLessThan(
        0.01,
      );
      expect(await styleOf(':root', '--pc-text'), 'stronger text').toMatch(/^#000/);
      await expectAccessible(page);
    });

    test('System follows the system', async () => {
      await page.getByRole('radiogroup', { name: 'Theme' }).getByText('System').click();
      await saved();
      await page.emulateMedia({ colorScheme: 'dark' });
      await expect(html()).toHaveAttribute('data-mantine-color-scheme', 'dark');
      await page.emulateMedia({ colorScheme: 'light' });
      await expect(html()).toHaveAttribute('data-mantine-color-scheme', 'light');
    });

    test('writes every moment in the chosen zone and format', async () => {
      await choose('Timezone', 'Tokyo');
      await choose('Date format', 'YYYY-MM-DD');
      await choose('Time format', '24-hour');
      await expect(page.getByText(/^Now: \d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)).toBeVisible();
      await saved();
      await page.getByRole('link', { name: 'Active Sessions' }).click();
      const seen = page.getByRole('table').getByRole('time').first();
      const moment = new Date((await seen.getAttribute('datetime')) ?? '');
      const inTokyo = new Date(moment.getTime() + 9 * 3_600_000).toISOString();
      await expect(seen).toHaveAttribute('title', `${inTokyo.slice(0, 10)} ${inTokyo.slice(11, 19)}`);
      await page.goBack();
    });

    test('email types are switched off with email', async () => {
      await page.getByLabel('Email notifications').uncheck();
      for (const label of ['Security alerts', 'System updates', 'Weekly reports']) {
        await expect(page.getByLabel(label), label).toBeDisabled();
      }
      await page.getByRole('button', { name: 'Reset' }).click();
      await expect(page.getByLabel('Email notifications')).toBeChecked();
    });

    test('holds on another machine', async ({ browser }) => {
      const elsewhere = await enter(browser, staffed.product, operator);
      await elsewhere.goto(`${staffed.product.console}/profile/preferences`);
      await expect(elsewhere.getByRole('combobox', { name: 'Timezone' })).toHaveValue('Tokyo');
      await expect(elsewhere.locator('html')).toHaveAttribute('data-contrast', 'high');
      await elsewhere.context().close();
    });

    test('says when saving fails', async () => {
      const mend = await breakCall(page, '/users/preferences');
      await page.getByLabel('Weekly reports').check();
      await save().click();
      await expect(page.getByText('Failed to save preferences')).toBeVisible();
      await mend();
      await page.getByRole('button', { name: 'Reset' }).click();
    });

    test('fits a phone', async () => {
      await page.setViewportSize({ width: 360, height: 780 });
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
    });
  });
