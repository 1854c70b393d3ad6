import { readFile } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from '../product/accessible.ts';
import { admin, arrive, breakCall, operator, type Staffed, startStaffed, viewer } from '../product/staff.ts';

test.describe
  .serial('Configuration history', () => {
    let staffed: Staffed;
    let page: Page;
    let yaml: string;
    const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
    const sites = async () => (await staffed.api.get('/sites')) as { name: string }[];

    test.beforeAll(async ({ browser }) => {
      staffed = await startStaffed();
      page = await arrive(browser, staffed.product, admin, '/configuration');
    });
    test.afterAll(async () => {
      await page.context().close();
      await staffed.stop();
    });

    test('says what will stand here while nothing was changed', async () => {
      await expect(page.getByTestId('header-title')).toHaveText('Configuration History');
      await expect(page.getByText('Nothing was changed yet')).toBeVisible();
    });

    test('lists each saved change with its author and reason', async () => {
      for (const name of ['Shop', 'Blog']) {
        const domains = [`${name.toLowerCase()}.example.com`];
        await staffed.api.post('/sites', { name, domains, backend_url: 'http://127.0.0.1:9' });
      }
      await page.reload();
      const row = page.getByRole('row', { name: /Site "Blog" was added/ });
      await expect(row).toContainText(admin.email);
      await expect(row).toContainText('1 added');
      await expect(row).toContainText('In force');
    });

    test('shows a change value by value, before beside after', async () => {
      const [shop] = (await staffed.api.get('/sites')) as { id: string }[];
      await staffed.api.put(`/sites/${shop?.id}`, { description: '<b>new</b>', rate_limit: { capacity: 7 } });
      await page.reload();
      await page
        .getByRole('button', { name: /^Open version/ })
        .first()
        .click();
      const drawer = dialog(/^Version \d+$/);
      const line = drawer.getByRole('row', { name: /Rate limit › capacity/ });
      await expect(line.locator('del')).toHaveText('100');
      await expect(line.locator('ins')).toHaveText('7');
      await expect(drawer.getByRole('row', { name: /Description/ }).locator('ins')).toHaveText('<b>new</b>');
      await expect(drawer.getByRole('button', { name: 'Restore this version' })).toHaveCount(0);
      await expectAccessible(page);
      for (const width of [720, 360]) {
        await page.setViewportSize({ width, height: 760 });
        await expectNoSidewaysScroll(page);
      }
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.keyboard.press('Escape');
    });

    test('brings a version back after a question', async () => {
      await page
        .getByRole('row', { name: /Site "Shop" was added/ })
        .getByRole('button', { name: /^Open version/ })
        .click();
      await page.getByRole('button', { name: 'Restore this version' }).click();
      const question = dialog(/^Restore version \d+\?$/);
      await expect(question).toContainText('as a new version');
      await question.getByRole('button', { name: 'Restore' }).click();
      await expect(page.getByText(/^Version \d+ restored$/)).toBeVisible();
      expect((await sites()).map(({ name }) => name)).toEqual(['Shop']);
      await expect(page.getByRole('row', { name: /was brought back to version/ })).toBeVisible();
    });

    test('exports the whole as YAML, without secrets', async () => {
      await page.getByRole('button', { name: 'Export' }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        dialog('Export Configuration').getByRole('button', { name: 'Download' }).click(),
      ]);
      expect(download.suggestedFilename()).toMatch(/^portcullis-.*\.yaml$/);
      yaml = await readFile((await download.path()) ?? '', 'utf8');
      expect(yaml).toContain('shop.example.com');
    });

    test('says which line of a file is wrong', async () => {
      await page.getByRole('button', { name: 'Import' }).click();
      const form = dialog('Import Configuration');
      await form.getByRole('button', { name: 'Compare' }).click();
      await expect(form.getByText('Paste a file or choose one')).toBeVisible();
      await form
        .getByRole('textbox', { name: 'YAML file' })
        .fill(yaml.replace(/backend_url: .*/, 'backend_url: ftp://x'));
      await form.getByRole('button', { name: 'Compare' }).click();
      await expect(form.getByRole('alert')).toContainText(/The file was refused.*Line \d+.*backend_url/s);
      await expectAccessible(page);
    });

    test('shows what a file would change before it does, a large one too', async () => {
      const form = dialog('Import Configuration');
      // More than a call of JSON may be.
      const remarks = `# ${'seen by three sensors '.repeat(45)}\n`.repeat(5000);
      const text = yaml.replace('name: Shop', 'name: Store') + remarks;
      expect(text.length).toBeGreaterThan(4 * 1024 * 1024);
      const file = { name: 'portcullis.yaml', mimeType: 'application/yaml', buffer: Buffer.from(text) };
      await form.locator('input[type=file]').setInputFiles(file);
      await expect(form.getByRole('textbox', { name: 'YAML file' })).toHaveValue(/name: Store/);
      await form.getByRole('button', { name: 'Compare' }).click();
      await expect(form.getByRole('status')).toHaveText('1 thing would change');
      expect((await sites()).map(({ name }) => name)).toEqual(['Shop']);
      await form.getByLabel('Reason').fill('A better name');
      await form.getByRole('button', { name: 'Apply Changes' }).click();
      await expect(page.getByText('Configuration imported')).toBeVisible();
      expect((await sites()).map(({ name }) => name)).toEqual(['Store']);
      await expect(page.getByRole('row', { name: /A better name/ })).toBeVisible();
    });

    test('says that it failed to load, with Retry', async () => {
      const mend = await breakCall(page, '/configuration/versions');
      await page.reload();
      await expect(page.getByText('The history could not be loaded')).toBeVisible();
      await mend();
      await page.getByRole('button', { name: 'Retry' }).click();
      await expect(page.getByRole('row', { name: /A better name/ })).toBeVisible();
    });

    test('lets an operator read it and a viewer not even that', async ({ browser }) => {
      const hers = await arrive(browser, staffed.product, operator, '/configuration');
      await hers
        .getByRole('button', { name: /^Open version/ })
        .nth(1)
        .click();
      await expect(hers.getByRole('dialog')).toBeVisible();
      await expect(hers.getByRole('button', { name: 'Restore this version' })).toHaveCount(0);
      await expect(hers.getByRole('button', { name: 'Import' })).toHaveCount(0);
      await hers.context().close();
      const his = await arrive(browser, staffed.product, viewer, '/configuration');
      await expect(his.getByText('Access Restricted')).toBeVisible();
      await his.context().close();
    });
  });
