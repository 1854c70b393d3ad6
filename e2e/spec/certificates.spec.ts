import { expect, type Page, test } from '@playwright/test';
import { selfSigned } from '../../packages/service/src/testing/certificate.ts';
import { expectAccessible, expectNoSidewaysScroll } from '../product/accessible.ts';
import { admin, arrive, breakCall, type Staffed, startStaffed, viewer } from '../product/staff.ts';

test.describe
  .serial('Certificates', () => {
    let staffed: Staffed;
    let page: Page;
    const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });

    test.beforeAll(async ({ browser }) => {
      // An authority that is not there: what a request says then is real.
      staffed = await startStaffed({ PORTCULLIS_ACME_DIRECTORY: 'https://127.0.0.1:1/dir' });
      await staffed.api.post('/sites', {
        name: 'Shop',
        domains: ['shop.example.com'],
        backend_url: 'http://127.0.0.1:9',
        ssl: { enabled: true },
      });
      await staffed.api.post('/sites', {
        name: 'Everything',
        domains: ['*.example.org'],
        backend_url: 'http://127.0.0.1:9',
      });
      page = await arrive(browser, staffed.product, admin, '/certificates');
    });
    test.afterAll(async () => {
      await page.context().close();
      await staffed.stop();
    });

    test('lists every site that answers over HTTPS, also one without a certificate', async () => {
      await expect(page.getByTestId('header-title')).toHaveText('Certificates');
      const row = page.getByRole('row', { name: /Shop/ });
      await expect(row).toContainText('None');
      await expect(page.getByRole('row', { name: /Everything/ })).toHaveCount(0);
      await row.getByRole('button', { name: 'Details of the certificate of Shop' }).click();
      await expect(dialog('Certificate of Shop')).toContainText('This site has no certificate');
    });

    test('says all that is wrong with an upload, each at its field', async () => {
      await dialog('Certificate of Shop').getByRole('button', { name: 'Upload' }).click();
      const form = dialog('Add Certificate');
      await form.getByRole('button', { name: 'Upload Certificate' }).click();
      await expect(form.getByText('A certificate is required')).toBeVisible();
      await expect(form.getByText('A private key is required')).toBeVisible();
      const other = await selfSigned(['other.example']);
      const mine = await selfSigned(['shop.example.com']);
      await form.getByRole('textbox', { name: 'Certificate chain' }).fill(other.certificate);
      await form.getByRole('textbox', { name: 'Private key' }).fill(mine.privateKey);
      await form.getByRole('button', { name: 'Upload Certificate' }).click();
      await expect(form.getByText('The private key does not belong to the certificate')).toBeVisible();
      await expect(
        form.getByText('The certificate is for other.example, not for shop.example.com'),
      ).toBeVisible();
      await expectAccessible(page);
      for (const width of [720, 360]) {
        await page.setViewportSize({ width, height: 760 });
        await expectNoSidewaysScroll(page);
      }
      await page.setViewportSize({ width: 1440, height: 900 });
      const file = (name: string, text: string) => ({
        name,
        mimeType: 'text/plain',
        buffer: Buffer.from(text),
      });
      await form.locator('input[type=file]').first().setInputFiles(file('chain.pem', mine.certificate));
      await expect(form.getByRole('textbox', { name: 'Certificate chain' })).toHaveValue(/BEGIN CERTIFICATE/);
      await form.getByRole('button', { name: 'Upload Certificate' }).click();
      await expect(page.getByText('Certificate uploaded')).toBeVisible();
    });

    test('shows what is in force: names, days left, fingerprint, renewal', async () => {
      const drawer = dialog('Certificate of Shop');
      await expect(drawer).toContainText(/Valid for another \d+ days/);
      await expect(drawer).toContainText('shop.example.com');
      await expect(drawer).toContainText('Uploaded');
      await expect(drawer).toContainText('Not renewed by itself');
      await expect(drawer.getByRole('button', { name: 'Copy SHA-256 fingerprint' })).toBeVisible();
      await expectAccessible(page);
    });

    test('explains a request that failed, and keeps the one in force', async () => {
      const drawer = dialog('Certificate of Shop');
      await drawer.getByRole('button', { name: 'Request now' }).click();
      await expect(page.getByText('The certificate could not be issued')).toBeVisible();
      await expect(drawer.getByRole('img', { name: 'Failed' })).toBeVisible();
      await expect(drawer).toContainText(/Sign in at 127\.0\.0\.1:1: .*ECONNREFUSED/);
      await expect(drawer).toContainText('The authority could not be reached');
      await expect(drawer).toContainText(/Valid for another \d+ days/);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('row', { name: /Shop/ })).toContainText('The last attempt to renew failed');
    });

    test('says that wildcards need an upload', async () => {
      await page.getByRole('button', { name: 'Add Certificate' }).click();
      const form = dialog('Add Certificate');
      await form.getByRole('button', { name: 'Upload Certificate' }).click();
      await expect(form.getByText('Choose a site')).toBeVisible();
      await form.getByRole('combobox', { name: 'Site' }).click();
      await page.getByRole('option', { name: 'Everything' }).click();
      await form.getByText('Request by ACME').click();
      await expect(form.getByText('Wildcards cannot be proven this way')).toBeVisible();
      await expect(form.getByRole('button', { name: 'Request Certificate' })).toBeDisabled();
      await page.keyboard.press('Escape');
    });

    test('deletes one after a question that names the site', async () => {
      await page.getByRole('button', { name: 'Details of the certificate of Shop' }).click();
      await dialog('Certificate of Shop').getByRole('button', { name: 'Delete' }).click();
      await dialog('Delete the certificate of Shop?')
        .getByRole('button', { name: 'Delete certificate' })
        .click();
      await expect(page.getByText('Certificate deleted')).toBeVisible();
      await expect(dialog('Certificate of Shop')).toContainText('This site has no certificate');
    });

    test('says that it failed to load, with Retry', async () => {
      const mend = await breakCall(page, '/certificates');
      await page.goto(`${staffed.product.console}/certificates`);
      await expect(page.getByText('Certificates could not be loaded')).toBeVisible();
      await mend();
      await page.getByRole('button', { name: 'Retry' }).click();
      await expect(page.getByRole('row', { name: /Shop/ })).toBeVisible();
    });

    test('lets a viewer look and change nothing', async ({ browser }) => {
      const his = await arrive(browser, staffed.product, viewer, '/certificates');
      await his.getByRole('button', { name: 'Details of the certificate of Shop' }).click();
      await expect(his.getByRole('dialog')).toContainText('This site has no certificate');
      for (const name of ['Request now', 'Upload', 'Delete', 'Add Certificate']) {
        await expect(his.getByRole('button', { name, exact: true })).toHaveCount(0);
      }
      await his.context().close();
    });
  });
