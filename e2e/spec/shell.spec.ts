import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from '../product/accessible.ts';
import { attack, type Shop, signedIn, startShop } from '../product/shop.ts';
import { admin, breakCall, enter, operator, viewer } from '../product/staff.ts';

const menus = {
  [admin.email]: ['Dashboard', 'Sites', 'Protection', 'Logs', 'Users', 'Monitoring', 'Settings'],
  [operator.email]: ['Dashboard', 'Sites', 'Protection', 'Logs', 'Monitoring', 'Settings'],
  [viewer.email]: ['Dashboard', 'Sites', 'Protection', 'Logs', 'Monitoring'],
};
const titles = {
  '/': 'Dashboard',
  '/sites': 'Sites Management',
  '/protection': 'Protection Configuration',
  '/logs': 'Security Logs',
  '/users': 'User Management',
  '/monitoring': 'System Monitoring',
  '/settings': 'Settings',
  '/profile': 'Profile',
};

test.describe
  .serial('the frame of every screen', () => {
    let shop: Shop;
    let page: Page;
    const navigation = () => page.getByRole('navigation', { name: 'Main navigation' });
    const palette = () => page.getByRole('dialog', { name: 'Search' });
    const bell = () => page.getByRole('button', { name: /^Notifications/ });

    test.beforeAll(async ({ browser }) => {
      shop = await startShop();
      page = await signedIn(browser, shop.api.token, shop.product.console);
      await expect(navigation()).toBeVisible();
    });
    test.afterAll(async () => {
      await page.context().close();
      await shop.stop();
    });

    test('names each screen in the header, and what does not exist', async () => {
      for (const [path, title] of Object.entries(titles)) {
        await page.goto(`${shop.product.console}${path}`);
        await expect(page.getByTestId('header-title')).toHaveText(title);
        await expect(page).toHaveTitle(`${title} · Portcullis`);
      }
      await page.goto(`${shop.product.console}/nowhere`);
      await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
      await page.getByRole('link', { name: 'Back to dashboard' }).click();
      await expect(page.getByTestId('header-title')).toHaveText('Dashboard');
    });

    test('shows each role the menu of what it may see', async ({ browser }) => {
      for (const account of [admin, operator, viewer]) {
        const other = account === admin ? page : await enter(browser, shop.product, account);
        const links = other.getByRole('navigation', { name: 'Main navigation' }).getByRole('link');
        for (const entry of menus[account.email] ?? []) {
          await expect(links.filter({ hasText: new RegExp(`^${entry}$`) }), entry).toHaveCount(1);
        }
        for (const entry of menus[admin.email] ?? []) {
          if (menus[account.email]?.includes(entry)) continue;
          await expect(links.filter({ hasText: new RegExp(`^${entry}$`) }), entry).toHaveCount(0);
        }
        if (other !== page) await other.context().close();
      }
    });

    test('folds its sidebar from 256 to 64 px, and becomes a drawer on a phone', async () => {
      const width = async () => (await page.getByRole('complementary').boundingBox())?.width;
      expect(await width()).toBe(256);
      await page.getByRole('button', { name: 'Collapse sidebar' }).click();
      await expect.poll(width).toBe(64);
      await page.getByRole('button', { name: 'Expand sidebar' }).click();
      await expect.poll(width).toBe(256);
      await page.setViewportSize({ width: 390, height: 844 });
      await page.getByRole('button', { name: 'Open menu' }).click();
      await expectAccessible(page);
      await page.getByRole('dialog').getByRole('link', { name: 'Monitoring' }).click();
      await expect(page.getByTestId('header-title')).toHaveText('System Monitoring');
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await page.setViewportSize({ width: 1440, height: 900 });
    });

    test('changes the theme and keeps it', async () => {
      const scheme = page.locator('html');
      await expect(scheme).toHaveAttribute('data-mantine-color-scheme', 'dark');
      await page.getByRole('button', { name: 'Switch to light theme' }).click();
      await expect(scheme).toHaveAttribute('data-mantine-color-scheme', 'light');
      expect(await page.evaluate("localStorage.getItem('theme')")).toBe('light');
      await page.reload();
      await expect(scheme).toHaveAttribute('data-mantine-color-scheme', 'light');
      await page.getByRole('button', { name: 'Switch to dark theme' }).click();
    });

    test('is led by keys before the focus is in its search', async () => {
      await page.goto(shop.product.console);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await page.keyboard.press('Control+k');
      await expect(palette().getByRole('combobox')).toBeFocused();
      const away = 'document.activeElement.blur()';
      await page.evaluate(away);
      await page.keyboard.type('sit');
      await expect(palette().getByRole('option', { selected: true })).toContainText('Sites');
      await page.evaluate(away);
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(/\/sites$/);
      await expect(palette()).toHaveCount(0);
    });

    test('finds pages, sites, users and events by typing', async () => {
      await shop.api.post('/protection/rules', {
        ...{ name: 'No admin from outside', type: 'custom', action: 'block', severity: 'high' },
        siteId: shop.siteId,
        conditions: { operator: 'AND', rules: [{ field: 'path', operator: 'starts_with', value: '/admin' }] },
      });
      await page.goto(shop.product.console);
      await page.getByRole('button', { name: /Search/ }).click();
      await expect(palette()).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(palette()).toHaveCount(0);
      for (const [typed, label, address] of [
        ['monit', 'Monitoring', /\/monitoring$/],
        ['configure sh', 'Configure Shop', new RegExp(`/sites\\?site=${shop.siteId}`)],
        ['protection of', 'Protection of Shop', new RegExp(`/protection\\?site=${shop.siteId}`)],
        ['no admin', 'No admin from outside', new RegExp(`/protection\\?site=${shop.siteId}`)],
        ['grace', operator.email, /\/users$/],
      ] as const) {
        // At once: what comes before the field has the focus is not lost.
        await page.keyboard.press('Control+k');
        await page.keyboard.type(typed);
        await expect(palette().getByRole('option', { selected: true })).toContainText(label);
        await page.keyboard.press('Enter');
        await expect(page).toHaveURL(address);
        await expect(palette()).toHaveCount(0);
        if (!typed.startsWith('configure')) continue;
        // The form comes when its site was read, and would take the keys of the next search.
        const form = page.getByRole('dialog', { name: 'Edit Site' });
        await expect(form.getByRole('textbox').first()).toBeVisible();
        await page.keyboard.press('Escape');
        await expect(form).toHaveCount(0);
      }
      expect(await shop.status(`/found?id=${attack}`)).toBe(403);
      const entries = async () => (await shop.api.get('/audit?q=/found')) as { requestId: string }[];
      await expect.poll(async () => (await entries()).length).toBe(1);
      const requestId = (await entries())[0]?.requestId ?? '';
      await page.goto(shop.product.console);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await page.keyboard.press('Control+k');
      await palette().getByRole('combobox').fill(requestId);
      await expectAccessible(page);
      await page.keyboard.press('Enter');
      await expect(page.getByRole('table', { name: 'Event history' }).locator('tbody tr')).toHaveCount(1);
      await page.keyboard.press('Control+k');
      await palette().getByRole('combobox').fill('users');
      await expect(palette().getByRole('option').first()).toContainText('Users');
      await page.keyboard.press('Escape');
    });

    test('tells of what needs attention until it was read', async () => {
      await page.goto(shop.product.console);
      await expect(page.getByRole('button', { name: /^Notifications, \d+ unread$/ })).toBeVisible();
      await bell().click();
      const list = page.getByRole('list').filter({ has: page.locator('time') });
      await expect(list.getByRole('listitem').first()).toContainText('Shop');
      await expect(list.getByRole('listitem').first()).toContainText(/\d+ min ago/);
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Mark all as read' }).click();
      await expect(page.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();
      await page.reload();
      await expect(page.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();
      await bell().click();
      await page.getByRole('link', { name: 'View all notifications' }).click();
      await expect(page).toHaveURL(/\/logs\?level=warning(%2C|,)error/);
    });

    test('has no notifications where they cannot be read, asks each half minute', async () => {
      await page.clock.install();
      const mend = await breakCall(page, '/audit');
      await page.goto(shop.product.console);
      await page.clock.runFor(1000);
      await bell().click();
      await expect(page.getByText('No recent notifications')).toBeVisible();
      await mend();
      const asked = page.waitForRequest(/\/api\/audit\?.*limit=10/);
      await page.clock.runFor(30_000);
      await asked;
      await page.keyboard.press('Escape');
    });

    test('closes what a role may not see, and signs out', async ({ browser }) => {
      const other = await enter(browser, shop.product, viewer);
      for (const path of ['/users', '/settings']) {
        await other.goto(`${shop.product.console}${path}`);
        await expect(other.getByRole('heading', { name: 'Access Restricted' })).toBeVisible();
        await expect(other.getByText("You don't have permission to view this content.")).toBeVisible();
      }
      await other.getByRole('button', { name: /Account menu/ }).click();
      for (const entry of ['Profile', 'Change Password', '2FA Settings', 'Preferences', 'Sign Out']) {
        await expect(other.getByRole('menuitem', { name: entry })).toBeVisible();
      }
      await expect(other.getByRole('menu')).toContainText(viewer.email);
      await expect(other.getByRole('menu')).toContainText('Viewer');
      await other.getByRole('menuitem', { name: 'Sign Out' }).click();
      await expect(other.getByText('Logged out successfully')).toBeVisible();
      await expect(other).toHaveURL(/\/login/);
      await other.goto(`${shop.product.console}/sites`);
      await expect(other).toHaveURL(/\/login\?from=/);
      await other.context().close();
    });
  });
