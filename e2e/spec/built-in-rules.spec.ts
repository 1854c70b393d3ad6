import { expect, type Page, test } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from '../product/accessible.ts';
import { admin, arrive, type Staffed, startStaffed } from '../product/staff.ts';

test.describe
  .serial('Built-in rules', () => {
    let staffed: Staffed;
    let page: Page;
    const dialog = (name: string) => page.getByRole('dialog', { name });

    test.beforeAll(async ({ browser }) => {
      staffed = await startStaffed();
      const site = { name: 'Shop', domains: ['shop.example.com'], backend_url: 'http://127.0.0.1:9' };
      const { id } = (await staffed.api.post('/sites', site)) as { id: string };
      page = await arrive(browser, staffed.product, admin, `/protection?site=${id}`);
    });
    test.afterAll(async () => {
      await page.context().close();
      await staffed.stop();
    });

    test('offers the ids of built-in rules, and says where an exception would take nothing back', async () => {
      await page.getByRole('button', { name: 'Add Exception' }).first().click();
      const modal = dialog('Add Exception');
      await modal.getByText('One rule', { exact: true }).click();
      const field = modal.getByRole('combobox', { name: 'Rule', exact: true });
      await field.fill('rule_of_my_own');
      await expect(modal.getByText('No built-in rule for requests has this id')).toBeVisible();
      await field.fill('union');
      await page.getByRole('option', { name: /^sql-union / }).click();
      await expect(field).toHaveValue('sql-union');
      await expect(modal.getByText('No built-in rule for requests has this id')).toHaveCount(0);
      await expectAccessible(page);
      await modal.getByRole('button', { name: 'Add Exception' }).click();
      await expect(page.getByText('Exception saved')).toBeVisible();
    });

    test('lists the built-in rules with what the site makes of them, and finds one', async () => {
      await page.getByRole('link', { name: 'Built-in Rules' }).click();
      const catalogue = dialog('Built-in rules');
      const entries = catalogue.getByRole('list', { name: 'Built-in rules that fit' }).getByRole('listitem');
      await expect(entries.first()).toBeVisible();
      await expectAccessible(page);
      const search = catalogue.getByRole('textbox', { name: 'Search' });
      await expect(entries.filter({ hasText: 'Blocks' }).first()).toBeVisible();
      await search.fill('sql-union');
      await expect(entries).toHaveCount(1);
      await expect(entries).toContainText('Excepted');
      await catalogue.getByRole('combobox', { name: 'State' }).click();
      await page.getByRole('option', { name: 'Does nothing' }).click();
      await expect(entries).toHaveCount(1);
      await search.fill('csrf-origin');
      await expect(entries.filter({ hasText: 'csrf-origin' })).toContainText('Category is off');
      await search.fill('no rule is called that');
      await expect(catalogue.getByText('No built-in rule fits')).toBeVisible();
      await catalogue.getByRole('button', { name: 'Clear search' }).click();
      await expect(catalogue.getByText(/^\d{3} rules$/)).toBeVisible();
      await page.setViewportSize({ width: 360, height: 760 });
      await expectNoSidewaysScroll(page);
      await page.setViewportSize({ width: 1440, height: 900 });
      await catalogue.getByRole('button', { name: 'Close' }).click();
      await expect(catalogue).toHaveCount(0);
      await expect(page).not.toHaveURL(/builtIn/);
    });
  });
