import { expect, type Page, test } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from '../product/accessible.ts';
import { signIn } from '../product/api.ts';
import { breakCall, operator, type Staffed, startStaffed, totpCode, viewer } from '../product/staff.ts';

test.describe
  .serial('Login', () => {
    let staffed: Staffed;
    let page: Page;
    let secret: string;
    const at = (route: string) => `${staffed.product.console}${route}`;
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const fill = async (email: string, password: string) => {
      await page.getByLabel('Email').fill(email);
      await page.getByRole('textbox', { name: 'Password' }).fill(password);
    };
    const token = () => page.evaluate("localStorage.getItem('token')");

    test.beforeAll(async ({ browser }) => {
      staffed = await startStaffed();
      const api = await signIn(staffed.product.console, operator.email, operator.password);
      ({ secret } = (await api.post('/auth/totp/enroll', {})) as { secret: string });
      await api.post('/auth/totp/verify', { secret, code: totpCode(secret, -1) });
      page = await (await browser.newContext()).newPage();
    });
    test.afterAll(async () => {
      await page.context().close();
      await staffed.stop();
    });

    test('is where every route leads without a token, and leads back there afterwards', async () => {
      for (const route of ['/', '/sites', '/profile/2fa', '/nowhere']) {
        await page.goto(at(route));
        await expect(page).toHaveURL(/\/login(\?|$)/);
      }
      await page.goto(at('/logs?view=history'));
      await expect(page.getByRole('heading', { name: 'Sign in to Portcullis' })).toBeVisible();
      await expectAccessible(page);
      await page.setViewportSize({ width: 360, height: 700 });
      await expectNoSidewaysScroll(page);
      await page.setViewportSize({ width: 1440, height: 900 });
      await fill(viewer.email, viewer.password);
      await button('Sign in').click();
      await expect(page.getByText('Login successful')).toBeVisible();
      await expect(page).toHaveURL(/\/logs\?view=history/);
    });

    test('signs out, which forgets the token', async () => {
      expect(await token()).not.toBeNull();
      await page.getByRole('button', { name: 'Account menu' }).click();
      await page.getByRole('menuitem', { name: 'Sign Out' }).click();
      await expect(page.getByText('Logged out successfully')).toBeVisible();
      await expect(page).toHaveURL(/\/login/);
      expect(await token()).toBeNull();
    });

    test('asks for an email address and a password', async () => {
      await expect(page.getByLabel('Email')).toHaveAttribute('type', 'email');
      await expect(page.getByRole('textbox', { name: 'Password' })).toHaveAttribute('type', 'password');
      let sent = 0;
      page.on('request', (request) => {
        if (request.url().endsWith('/auth/login')) sent += 1;
      });
      await button('Sign in').click();
      await fill('nobody', 'x');
      await button('Sign in').click();
      expect(sent).toBe(0);
    });

    test("says the server's own words on a wrong password, and stays", async () => {
      await fill(viewer.email, 'Wrong-horse-7!');
      await button('Sign in').click();
      await expect(page.getByRole('main').getByText('Invalid email or password')).toBeVisible();
      await expect(page.getByLabel('Email')).toHaveValue(viewer.email);
      await expect(page).toHaveURL(/\/login/);
    });

    test("says 'Login failed' where the server says nothing", async () => {
      const mend = await breakCall(page, '/auth/login');
      await button('Sign in').click();
      await expect(page.getByText('Login failed').first()).toBeVisible();
      await mend();
    });

    test("shows 'Signing in...' while busy, and cannot be sent twice", async () => {
      let calls = 0;
      const release = Promise.withResolvers<void>();
      await page.route('**/api/auth/login', async (route) => {
        calls += 1;
        await release.promise;
        await route.continue();
      });
      await fill(operator.email, operator.password);
      await button('Sign in').click();
      await expect(button('Signing in...')).toBeDisabled();
      await page.keyboard.press('Enter');
      release.resolve();
      await expect(page.getByText('Please enter your 2FA code')).toBeVisible();
      expect(calls).toBe(1);
      await page.unroute('**/api/auth/login');
    });

    test('asks for a code of six characters, and sends nothing shorter', async () => {
      const code = page.getByLabel('2FA code');
      await expect(code).toBeFocused();
      await expect(code).toHaveAttribute('maxlength', '6');
      await expectAccessible(page);
      let sent = 0;
      const count = () => {
        sent += 1;
      };
      page.on('request', count);
      await code.fill('123');
      await button('Verify 2FA').click();
      await expect(page.getByText('Please enter a 6-digit code')).toBeVisible();
      expect(sent).toBe(0);
      page.off('request', count);
    });

    test('refuses a wrong code in words, and takes the right one', async () => {
      const right = totpCode(secret);
      await page.getByLabel('2FA code').fill(right === '000000' ? '111111' : '000000');
      await button('Verify 2FA').click();
      await expect(page.getByRole('main').getByRole('alert')).toContainText(/code/i);
      await page.getByLabel('2FA code').fill(totpCode(secret));
      await button('Verify 2FA').click();
      await expect(page.getByRole('navigation', { name: 'Main navigation' })).toBeVisible();
    });

    test('is where a token leads that the server no longer takes', async () => {
      await page.evaluate("localStorage.setItem('token', 'revoked')");
      await page.goto(at('/sites'));
      await expect(page).toHaveURL(/\/login/);
      expect(await token()).toBeNull();
    });
  });
