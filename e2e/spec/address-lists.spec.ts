import { expect, type Page, test } from '@playwright/test';
import { AddressListAnswer } from '@portcullis/contract/access';
import { expectAccessible, expectNoSidewaysScroll } from '../product/accessible.ts';
import { admin, arrive, breakCall, type Staffed, startStaffed, viewer } from '../product/staff.ts';
import { turn } from '../product/turn.ts';

test.describe
  .serial('Address lists', () => {
    let staffed: Staffed;
    let page: Page;
    const dialog = (name: string) => page.getByRole('dialog', { name });
    const row = () => page.getByRole('row', { name: /Scanners/ });

    test.beforeAll(async ({ browser }) => {
      staffed = await startStaffed();
      await staffed.api.post('/sites', {
        name: 'Shop',
        domains: ['shop.example.com'],
        backend_url: 'http://127.0.0.1:9',
      });
      page = await arrive(browser, staffed.product, admin, '/address-lists');
    });
    test.afterAll(async () => {
      await page.context().close();
      await staffed.stop();
    });

    test('says what a list does while there is none', async () => {
      await expect(page.getByTestId('header-title')).toHaveText('Address Lists');
      await expect(page.getByText('No address lists yet')).toBeVisible();
    });

    test('names the line that is no address', async () => {
      await page.getByRole('button', { name: 'Add List' }).click();
      const form = dialog('Add Address List');
      await form.getByRole('button', { name: 'Create List' }).click();
      await expect(form.getByText('Name is required')).toBeVisible();
      await form.getByLabel('Name', { exact: true }).fill('Scanners');
      await form.getByLabel('Addresses and networks').fill('192.0.2.7\n<script>\n2001:db8::/32');
      await form.getByRole('button', { name: 'Create List' }).click();
      await expect(form.getByText('Line 2, "<script>", is neither an address nor a network')).toBeVisible();
      await expectAccessible(page);
      for (const width of [720, 360]) {
        await page.setViewportSize({ width, height: 760 });
        await expectNoSidewaysScroll(page);
      }
      await page.setViewportSize({ width: 1440, height: 900 });
    });

    test('creates a list for one site', async () => {
      const form = dialog('Add Address List');
      await form.getByLabel('Addresses and networks').fill('192.0.2.7\n2001:db8::/32');
      await form.getByRole('combobox', { name: 'Where' }).click();
      await page.getByRole('option', { name: 'Shop' }).click();
      await form.getByRole('button', { name: 'Create List' }).click();
      await expect(page.getByText('Address list created')).toBeVisible();
      for (const text of ['Block', 'Shop', '2', 'On']) await expect(row()).toContainText(text);
    });

    test('takes an address for an hour, and says when it ends', async () => {
      await page.getByRole('button', { name: 'Edit list Scanners' }).click();
      const form = dialog('Edit Address List');
      const address = form.getByRole('textbox', { name: 'Addresses for a while' });
      await address.fill('shop.example.com');
      await form.getByRole('button', { name: 'Add address' }).click();
      await expect(form.getByText('"shop.example.com" is neither an address nor a network')).toBeVisible();
      await form.getByRole('combobox', { name: 'For how long' }).click();
      await page.getByRole('option', { name: '1 hour' }).click();
      await address.fill('203.0.113.5');
      await address.press('Enter');
      const entries = form.getByRole('list', { name: 'Addresses for a while' });
      await expect(entries.getByRole('listitem')).toHaveText(/^203\.0\.113\.5until \d/);
      await expectAccessible(page);
      for (const width of [720, 360]) {
        await page.setViewportSize({ width, height: 760 });
        await expectNoSidewaysScroll(page);
      }
      await page.setViewportSize({ width: 1440, height: 900 });
      // What is typed when the form is saved counts as added.
      await address.fill('no address');
      await form.getByRole('button', { name: 'Update List' }).click();
      await expect(form.getByText('"no address" is neither an address nor a network')).toBeVisible();
      await address.fill('203.0.113.6');
      await form.getByRole('button', { name: 'Update List' }).click();
      await expect(row()).toContainText(/4\s*2 end, the first \d/);
      const [list] = AddressListAnswer.array().parse(await staffed.api.get('/access/lists'));
      const [{ entry, expires_at } = { entry: '', expires_at: '' }] = list?.temporary ?? [];
      expect([entry, Math.round((Date.parse(expires_at) - Date.now()) / 600_000)]).toEqual([
        '203.0.113.5',
        6,
      ]);

      await page.getByRole('button', { name: 'Edit list Scanners' }).click();
      for (const last of [5, 6]) await form.getByRole('button', { name: `Remove 203.0.113.${last}` }).click();
      await form.getByRole('button', { name: 'Update List' }).click();
      await expect(row()).not.toContainText('until');
    });

    test('asks before a changed form is left, and keeps the change', async () => {
      await page.getByRole('link', { name: 'Sites' }).click();
      await page.getByRole('link', { name: 'Address Lists' }).click();
      await page.getByRole('button', { name: 'Edit list Scanners' }).click();
      await turn(dialog('Edit Address List').getByLabel('In force'), false);
      await page.goBack();
      await page.getByRole('button', { name: 'Keep editing' }).click();
      for (const key of ['Escape', 'Escape']) {
        await page.keyboard.press(key);
        await page.getByRole('button', { name: 'Keep editing' }).click();
      }
      await dialog('Edit Address List').getByRole('button', { name: 'Update List' }).click();
      await expect(page.getByText('Address list updated')).toBeVisible();
      await expect(row()).toContainText('Off');
    });

    test('shows the age of what it last knew when it cannot be read again', async () => {
      await breakCall(page, '/access/lists');
      await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
      await expect(page.getByText(/Showing data from/)).toBeVisible();
      await expect(row()).toBeVisible();
      await page.reload();
      await expect(page.getByText('Address lists could not be loaded')).toBeVisible();
      await page.unrouteAll();
      await page.getByRole('button', { name: 'Retry' }).click();
      await expect(row()).toBeVisible();
    });

    test('names the list that it is about to delete, and gives the focus back on a slow machine too', async () => {
      const slowed = await page.context().newCDPSession(page);
      await slowed.send('Emulation.setCPUThrottlingRate', { rate: 20 });
      await page.getByRole('button', { name: 'Delete list Scanners' }).click();
      await dialog('Delete list Scanners?').getByRole('button', { name: 'Cancel' }).click();
      await expect(page.getByRole('button', { name: 'Delete list Scanners' })).toBeFocused();
      await slowed.send('Emulation.setCPUThrottlingRate', { rate: 1 });
      await page.keyboard.press('Enter');
      await dialog('Delete list Scanners?').getByRole('button', { name: 'Delete list' }).click();
      await expect(page.getByText('Address list deleted')).toBeVisible();
      await expect(page.getByText('No address lists yet')).toBeVisible();
    });

    test('lets a viewer look and change nothing', async ({ browser }) => {
      await staffed.api.post('/access/lists', { name: 'Office', action: 'allow', entries: ['192.0.2.1'] });
      const his = await arrive(browser, staffed.product, viewer, '/address-lists');
      await expect(his.getByRole('row', { name: /Office/ })).toContainText('Every site');
      for (const name of ['Add List', 'Edit list Office', 'Delete list Office']) {
        await expect(his.getByRole('button', { name })).toHaveCount(0);
      }
      await his.context().close();
    });
  });
