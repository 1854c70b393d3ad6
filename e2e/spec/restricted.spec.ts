import { expect, test } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from '../product/accessible.ts';
import { arrive, operator, type Staffed, startStaffed, viewer } from '../product/staff.ts';

/** Which menu entries each role sees, and which pages it is kept from with the permission that it lacks. */
const roles = [
  {
    account: viewer,
    menu: ['Dashboard', 'Sites', 'Protection', 'Address Lists', 'Logs', 'Certificates', 'Monitoring'],
    kept: { '/users': 'user:view', '/settings': 'settings:view', '/configuration': 'settings:view' },
  },
  {
    account: operator,
    menu: [
      'Dashboard',
      'Sites',
      'Protection',
      'Address Lists',
      'Logs',
      'Certificates',
      'Monitoring',
      'Settings',
      'Configuration',
    ],
    kept: { '/users': 'user:view' },
  },
] as const;

test.describe
  .serial('Access Restricted and Not Found', () => {
    let staffed: Staffed;
    test.beforeAll(async () => {
      staffed = await startStaffed();
    });
    test.afterAll(() => staffed.stop());

    for (const { account, menu, kept } of roles) {
      test(`${account.email} sees what the role may, and is told which permission is missing`, async ({
        browser,
      }) => {
        const page = await arrive(browser, staffed.product, account, '/');
        await expect(page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link')).toHaveText([
          ...menu,
        ]);
        for (const [route, permission] of Object.entries(kept)) {
          await page.goto(`${staffed.product.console}${route}`);
          await expect(page.getByRole('heading', { name: 'Access Restricted' })).toBeVisible();
          await expect(page.getByText("You don't have permission to view this content.")).toBeVisible();
          await expect(page.getByText(`Missing permission: ${permission}`)).toBeVisible();
        }
        await expectAccessible(page);
        await page.context().close();
      });
    }

    test('an address that no screen has says so, and leads back', async ({ browser }) => {
      const page = await arrive(browser, staffed.product, viewer, '/nowhere/%3Cscript%3E');
      await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
      await page.setViewportSize({ width: 360, height: 700 });
      await expectNoSidewaysScroll(page);
      await page.getByRole('link', { name: 'Back to dashboard' }).click();
      await expect(page.getByTestId('header-title')).toHaveText('Dashboard');
      await page.context().close();
    });

    test('a route that breaks leaves menu and header working', async ({ browser }) => {
      const page = await arrive(browser, staffed.product, viewer, '/');
      // Its code does not arrive, as when a new version was installed meanwhile.
      await page.route(/\/assets\/sites-screen-.*\.js$/, (route) => route.abort());
      await page.getByRole('link', { name: 'Sites' }).click();
      await expect(page.getByText('This page stopped working')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Reload' })).toBeVisible();
      await page.getByRole('link', { name: 'Address Lists' }).click();
      await expect(page.getByTestId('header-title')).toHaveText('Address Lists');
      await page.context().close();
    });
  });
