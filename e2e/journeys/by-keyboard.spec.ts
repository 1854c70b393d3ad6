import { expect, type Locator, type Page, test } from '@playwright/test';
import { attack, type Shop, signedIn, startShop, watchLog } from '../product/shop.ts';

/** What an operator does most, without touching the mouse. */
test.describe
  .serial('by keyboard alone', () => {
    let shop: Shop;
    let page: Page;
    const focused = () => page.locator(':focus');
    const button = (name: string) => page.getByRole('button', { name, exact: true }).first();
    const dialog = (name: string) => page.getByRole('dialog', { name });

    /** Tabs on until something has the focus, and sees that it can be seen there. */
    async function reach(target: Locator): Promise<void> {
      for (let steps = 0; steps < 80; steps++) {
        if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) {
          const seen = 'getComputedStyle(document.activeElement)';
          const marks: string[] = await page.evaluate(
            `[${seen}.outlineStyle, ${seen}.boxShadow, ${seen}.borderColor]`,
          );
          expect(marks[0] !== 'none' || marks[1] !== 'none' || marks[2] !== '').toBe(true);
          return;
        }
        await page.keyboard.press('Tab');
      }
      throw new Error(`not reached: ${target}`);
    }
    const press = async (target: Locator) => {
      await reach(target);
      await page.keyboard.press('Enter');
    };
    const goTo = async (words: string) => {
      await page.keyboard.press('Control+k');
      await expect(page.getByRole('dialog', { name: 'Search' }).getByRole('combobox')).toBeFocused();
      await page.keyboard.type(words);
      await expect(page.getByRole('option', { selected: true })).toContainText(words);
      await page.keyboard.press('Enter');
    };

    test.beforeAll(async ({ browser }) => {
      shop = await startShop();
      page = await signedIn(browser, shop.api.token, shop.product.console);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    });
    test.afterAll(async () => {
      await page.context().close();
      await shop.stop();
    });

    test('the first Tab offers to skip the menu', async () => {
      await page.keyboard.press('Tab');
      await expect(focused()).toHaveText('Skip to content');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('main')).toBeFocused();
    });

    test('a site is added, and the focus comes back to where it began', async () => {
      await goTo('Sites');
      await expect(page).toHaveURL(/\/sites$/);
      await press(button('Add Site'));
      await expect(dialog('Add New Site').getByLabel('Name', { exact: false }).first()).toBeFocused();
      await page.keyboard.type('Wiki');
      await reach(dialog('Add New Site').getByLabel('Primary domain'));
      await page.keyboard.type('wiki.example.com');
      await reach(dialog('Add New Site').getByLabel('Upstream URL'));
      await page.keyboard.type('http://127.0.0.1:9');
      // Enter in a field sends the form.
      await page.keyboard.press('Enter');
      await expect(page.getByRole('status').filter({ hasText: 'Site created successfully' })).toBeVisible();
      await expect(button('Add Site')).toBeFocused();
      await expect(page.getByRole('row', { name: /Wiki/ })).toBeVisible();
    });

    test('a block is understood and allowed', async () => {
      await watchLog(page, shop.product.console);
      expect(await shop.status(`/notes?text=${attack}`)).toBe(403);
      const row = page
        .getByRole('region', { name: 'Live events, newest first' })
        .getByRole('button')
        .filter({ hasText: /blocked.*\/notes/ });
      await press(row);
      const event = dialog('Event');
      await expect(event.locator('mark').first()).toBeInViewport();
      await press(event.getByRole('button', { name: 'Allow this' }));
      const form = dialog('Allow this');
      await expect(form).toBeVisible();
      await press(form.getByRole('button', { name: 'Allow', exact: true }));
      await expect(page.getByRole('status').filter({ hasText: 'Allowed.' })).toBeVisible();
      await expect.poll(() => shop.status(`/notes?text=${attack}`)).toBe(200);
      await expect(event.getByRole('button', { name: 'Allow this' })).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(event).toHaveCount(0);
      await expect(row).toBeFocused();
    });

    test('a user is added, with a role from a list', async () => {
      await goTo('Users');
      await press(button('Create User'));
      const form = dialog('Create User');
      await reach(form.getByLabel('Email'));
      await page.keyboard.type('joan@example.com');
      await reach(form.getByRole('combobox', { name: 'Role' }));
      await page.keyboard.press('ArrowDown');
      const chosen = page.locator('[role=option][data-combobox-selected]');
      await expect(chosen).toHaveText('Viewer');
      await page.keyboard.press('ArrowUp');
      await expect(chosen).toHaveText('Operator');
      await page.keyboard.press('Enter');
      await expect(form.getByRole('combobox', { name: 'Role' })).toHaveValue('Operator');
      await reach(form.getByRole('textbox', { name: 'Password', exact: true }));
      await page.keyboard.type('New-user-pass-1!');
      await reach(form.getByRole('textbox', { name: 'Confirm password' }));
      await page.keyboard.type('New-user-pass-1!');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('status').filter({ hasText: 'User created successfully' })).toBeVisible();
      await expect(page.getByRole('row', { name: /joan@example\.com/ })).toContainText('Operator');
      await expect(button('Create User')).toBeFocused();
    });

    test('a dialog keeps the focus, and Escape gives it back', async () => {
      await press(button('Create User'));
      const form = dialog('Create User');
      await expect(form.locator(':focus')).toHaveCount(1);
      for (let steps = 0; steps < 14; steps++) {
        await page.keyboard.press('Tab');
        expect(await form.evaluate((element) => element.contains(element.ownerDocument.activeElement))).toBe(
          true,
        );
      }
      await page.keyboard.press('Escape');
      await expect(button('Create User')).toBeFocused();
    });
  });
