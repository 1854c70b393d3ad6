import { expect, type Page, test } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from '../product/accessible.ts';
import { type Product, startProduct } from '../product/product.ts';
import { breakCall } from '../product/staff.ts';

test.describe
  .serial('Setup', () => {
    let product: Product;
    let page: Page;
    const email = 'ada@example.com';
    const password = 'Correct-horse-7!';
    const create = () => page.getByRole('button', { name: 'Create administrator' }).click();
    const fields = () => ({
      email: page.getByLabel('Email'),
      password: page.getByRole('textbox', { name: 'Password', exact: true }),
      confirm: page.getByRole('textbox', { name: 'Confirm password' }),
    });

    test.beforeAll(async ({ browser }) => {
      product = await startProduct({ environment: { PORTCULLIS_GATEWAY_WORKERS: '1' } });
      page = await (await browser.newContext()).newPage();
    });
    test.afterAll(async () => {
      await page.context().close();
      await product.stop();
    });

    test('needs the whole link that the terminal printed', async () => {
      await page.goto(`${product.console}/setup`);
      await expect(page.getByText('This address lacks its one-time token')).toBeVisible();
      await page.goto(product.setupLink ?? '');
      await expect(page.getByRole('heading', { name: 'Set up Portcullis' })).toBeVisible();
      await expect(page).toHaveURL(`${product.console}/setup`);
      await expectAccessible(page);
      await page.setViewportSize({ width: 360, height: 700 });
      await expectNoSidewaysScroll(page);
    });

    test('says at each field what is wrong with it', async () => {
      await create();
      await expect(page.getByText('Email is required')).toBeVisible();
      await expect(page.getByText('Password is required')).toBeVisible();
      await fields().email.fill('ada');
      await fields().password.fill('Short-1');
      await fields().confirm.fill('other');
      await create();
      await expect(page.getByText('Email is invalid')).toBeVisible();
      await expect(page.getByText('Password must be at least 8 characters')).toBeVisible();
      await expect(page.getByText('Passwords do not match')).toBeVisible();
    });

    test('shows what the service refuses, and what it says nothing about', async () => {
      await fields().email.fill(email);
      await fields().password.fill('nothing-but-small');
      await fields().confirm.fill('nothing-but-small');
      await create();
      await expect(page.getByRole('alert').first()).toBeVisible();
      const mend = await breakCall(page, '/setup');
      await create();
      await expect(page.getByText('The administrator could not be created').first()).toBeVisible();
      await mend();
    });

    test('creates the administrator, who is then signed in', async () => {
      await fields().password.fill(password);
      await fields().confirm.fill(password);
      await create();
      await expect(page.getByText('Portcullis is ready')).toBeVisible();
      await expect(page.getByTestId('header-title')).toHaveText('Dashboard');
    });

    test('is closed from then on, whatever link is used', async () => {
      await page.goto(product.setupLink ?? '');
      await expect(page.getByText('This installation is already set up')).toBeVisible();
      await page.getByRole('link', { name: 'Go to sign in' }).click();
      await expect(page.getByRole('main')).toBeVisible();
    });
  });
