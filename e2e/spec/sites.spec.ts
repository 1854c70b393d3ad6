import { expect, type Page, test } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from '../product/accessible.ts';
import { admin, arrive, breakCall, operator, type Staffed, startStaffed, viewer } from '../product/staff.ts';
import { turn } from '../product/turn.ts';

const shownFirst = [
  'SQL injection',
  'Cross-site scripting',
  'Command injection',
  'Path traversal',
  'XML external entity',
  'Cross-site request forgery',
  'Server-side request forgery',
  'LDAP injection',
  'Header injection',
] as const;
const shownAfter = [
  'File upload',
  'Method validation',
  'Size limit',
  'Rate limiting',
  'Bot fight mode',
  'JavaScript challenge',
  'Captcha challenge',
] as const;

test.describe
  .serial('Sites', () => {
    let staffed: Staffed;
    let page: Page;
    const dialog = () => page.getByRole('dialog', { name: /New Site|Edit Site/ });
    const field = (label: string) => dialog().getByLabel(new RegExp(`^${label}( \\*)?$`));
    const choice = (label: string) => dialog().getByRole('switch', { name: label, exact: true });
    const send = (name: string) => dialog().getByRole('button', { name, exact: true }).click();
    const site = async () =>
      ((await staffed.api.get('/sites')) as Record<string, unknown>[]).find(({ name }) => name === 'Shop');

    test.beforeAll(async ({ browser }) => {
      staffed = await startStaffed();
      page = await arrive(browser, staffed.product, admin, '/sites');
    });
    test.afterAll(async () => {
      await page.context().close();
      await staffed.stop();
    });

    test('says what a site is while there is none', async () => {
      await expect(page.getByTestId('header-title')).toHaveText('Sites Management');
      await expect(page.getByRole('heading', { name: 'Sites', level: 1 })).toBeVisible();
      await expect(page.getByText('Manage protected domains and their configurations')).toBeVisible();
      await expect(page.getByText('No sites configured yet')).toBeVisible();
      for (const card of ['Total Sites', 'Active Sites', 'Total Requests']) {
        await expect(page.getByText(card, { exact: true })).toBeVisible();
      }
    });

    test('opens the form with the defaults of a new site', async () => {
      await page.getByRole('button', { name: 'Add Site' }).first().click();
      await expect(dialog()).toHaveAccessibleName('Add New Site');
      for (const section of ['Basics', 'SSL', 'Health Check', 'CORS', 'Protection Configuration']) {
        await expect(dialog().getByRole('heading', { name: section, exact: true })).toBeVisible();
      }
      await expect(choice('Site enabled')).toBeChecked();
      await expect(field('Security level')).toHaveValue('medium');
      await expect(field('Block response')).toHaveValue('HTML page');
      await expect(choice('Enable SSL')).not.toBeChecked();
      await expect(choice('Enable health check')).toBeChecked();
      await expect(choice('Enable CORS')).not.toBeChecked();
      await expect(choice('Enable rate limit')).toBeChecked();
      await expect(field('Capacity')).toHaveValue('100');
      await expect(field('Window')).toHaveValue('60 s');
      await expect(field('Refill interval')).toHaveValue('1 s');
      await expect(choice('Enable bot protection')).not.toBeChecked();
      const named = dialog().getByRole('switch', {
        name: new RegExp(`^(${[...shownFirst, ...shownAfter].join('|')})$`),
      });
      await expect(named).toHaveCount(16);
      for (const [at, label] of [...shownFirst, ...shownAfter].entries()) {
        await expect(named.nth(at)).toHaveAccessibleName(label);
        await expect(named.nth(at)).toBeChecked({ checked: at < 4 });
      }
    });

    test('requires name, domain and upstream', async () => {
      await send('Create Site');
      for (const text of ['Name is required', 'Domain is required', 'Upstream URL is required']) {
        await expect(dialog().getByText(text)).toBeVisible();
      }
      await expect(field('Name')).toBeFocused();
    });

    test('shows what belongs to a switch only while it is on', async () => {
      await expect(field('Automatic certificate')).toBeDisabled();
      await turn(choice('Enable SSL'), true);
      await expect(field('Automatic certificate')).toBeEnabled();
      await turn(choice('Enable SSL'), false);
      await expect(field('Path')).toBeVisible();
      await turn(choice('Enable health check'), false);
      await expect(field('Path')).toHaveCount(0);
      await turn(choice('Enable health check'), true);
      await turn(choice('Enable CORS'), true);
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']) {
        const on = !['PATCH', 'HEAD'].includes(method);
        await expect(dialog().getByRole('checkbox', { name: method, exact: true })).toBeChecked({
          checked: on,
        });
      }
      await expect(field('Max age')).toHaveValue('3600 s');
      for (const header of ['Content-Type', 'Authorization', 'X-Requested-With', 'Accept']) {
        await expect(dialog().getByText(header, { exact: true })).toBeVisible();
      }
      await dialog().getByRole('button', { name: 'Add origin' }).click();
      await expect(dialog().getByRole('list', { name: 'Allowed origins' })).toHaveCount(0);
      await expect(field('A pass lasts')).toHaveCount(0);
      await turn(choice('JavaScript challenge'), true);
      await expect(field('A pass lasts'), 'for whatever asks browsers').toBeVisible();
      const mode = dialog().getByRole('combobox', { name: 'Mode for JavaScript challenge' });
      await expect(mode.locator('option')).toHaveText(['Challenge', 'Log']);
      await expect(dialog().getByLabel('Sensitivity for JavaScript challenge')).toHaveCount(0);
      await turn(choice('JavaScript challenge'), false);
      await turn(choice('Enable bot protection'), true);
      await expect(field('A pass lasts')).toHaveValue('300 s');
      await expect(field('Difficulty')).toBeEnabled();
      await expectAccessible(page);
      for (const width of [720, 360]) {
        await page.setViewportSize({ width, height: 760 });
        await expectNoSidewaysScroll(page);
      }
      await page.setViewportSize({ width: 1440, height: 900 });
    });

    test('asks before a changed form is closed, and creates what was entered', async () => {
      await field('Name').fill('Shop');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Keep editing' }).click();
      await field('Primary domain').fill('shop.example.com');
      await field('Upstream URL').fill('http://127.0.0.1:9');
      await dialog().getByRole('button', { name: 'Add domain' }).click();
      await field('Other domains 1').fill('www.shop.example.com');
      await send('Create Site');
      await expect(page.getByText('Site created successfully')).toBeVisible();
      await expect(dialog()).toHaveCount(0);
      const row = page.getByRole('row', { name: /Shop/ });
      await expect(row).toContainText('www.shop.example.com');
      await expect(row).toContainText('medium');
      await expect(row).toContainText('Enabled');
      await expect(page.getByRole('button', { name: 'Add Site' }).first()).toBeFocused();
    });

    test('reaches every field of a site, and loses none on save', async () => {
      await page.getByRole('button', { name: 'Configure Shop' }).click();
      await expect(dialog()).toHaveAccessibleName('Edit Site');
      await dialog().getByRole('button', { name: 'Add a limit for a path or header' }).click();
      await field('Name of limit 1').fill('api');
      await field('Path starts with of limit api').fill('/api/');
      await turn(choice('Cross-site request forgery'), true);
      await field('Trusted origins').fill('https://pay.example.com');
      await page.keyboard.press('Enter');
      await dialog().getByRole('button', { name: 'Add upstream' }).click();
      await field('Upstream 2').fill('http://127.0.0.1:10');
      await turn(field('Upstream 2 stands by until no other is alive'), true);
      await field('A client is served').click();
      await page.getByRole('option', { name: 'By the same upstream' }).click();
      await field('Exempt paths').fill('/health');
      await page.keyboard.press('Enter');
      await field('Heading').fill('Stopped <b>here</b>');
      await turn(choice('Preview'), true);
      const preview = page.frameLocator('iframe[title="Preview of the page Block"]');
      await expect(preview.getByRole('heading')).toHaveText('Stopped <b>here</b>');
      await send('Update Site');
      await expect(page.getByText('Site updated successfully')).toBeVisible();
      expect(await site()).toMatchObject({
        domains: ['shop.example.com', 'www.shop.example.com'],
        rate_limit: { capacity: 100, buckets: [{ name: 'api', path: '/api/' }] },
        trusted_origins: ['https://pay.example.com'],
        upstream: { further: [{ url: 'http://127.0.0.1:10', standby: true }], affinity: 'address' },
        bot_protection: { exempt_paths: ['/health'] },
        pages: { block: { title: 'Stopped <b>here</b>' } },
      });
    });

    test('watches a site only or takes it into maintenance, says so in the list, and enforces again what was set', async () => {
      const row = page.getByRole('row', { name: /Shop/ });
      const before = await site();
      for (const watched of [true, false]) {
        await page.getByRole('button', { name: 'Configure Shop' }).click();
        const control = dialog().getByRole('radiogroup', { name: 'Protection is' });
        await control.getByText(watched ? 'Watched only' : 'Enforced').click();
        await turn(choice('Under maintenance'), watched);
        await expect(dialog().getByText('All requests pass', { exact: false })).toHaveCount(watched ? 1 : 0);
        if (watched) await expectAccessible(page);
        await send('Update Site');
        await expect(dialog()).toHaveCount(0);
        for (const badge of ['Watched only', 'Maintenance'])
          await expect(row.getByText(badge, { exact: true })).toHaveCount(watched ? 1 : 0);
        expect(await site()).toMatchObject({ watch_only: watched, maintenance: watched });
      }
      const { version: _1, updated_at: _2, ...kept } = before ?? {};
      expect(await site()).toMatchObject(kept);
    });

    test('adds a site like another, with its settings and its rules', async () => {
      const rule = {
        name: 'No admin',
        conditions: { rules: [{ field: 'path', operator: 'equals', value: '/admin' }] },
      };
      await staffed.api.post('/protection/rules', { ...rule, siteId: (await site())?.['id'] });
      await page.getByRole('button', { name: 'Add a site like Shop' }).click();
      await expect(dialog()).toHaveAccessibleName('Add New Site');
      await expect(field('Name')).toHaveValue('Shop copy');
      await expect(field('Primary domain')).toHaveValue('');
      await expect(field('Path starts with of limit api')).toHaveValue('/api/');
      await expect(field('Copy its rulesets and rules too')).toBeChecked();
      await expectAccessible(page);
      await field('Name').fill('Blog');
      await field('Primary domain').fill('blog.example.com');
      await send('Create Site');
      await expect(page.getByRole('row', { name: /Blog/ })).toContainText('blog.example.com');
      const sets = (await staffed.api.get('/protection/rules')) as { rules: { name: string }[] }[];
      expect(sets.map(({ rules }) => rules.map(({ name }) => name))).toEqual([['No admin'], ['No admin']]);
      await page.getByRole('button', { name: 'Configure Blog' }).click();
      await dialog().getByRole('button', { name: 'Delete site' }).click();
      const question = page.getByRole('dialog', { name: 'Delete Blog?' });
      await expect(question).toContainText('no certificate that was uploaded for it');
      await question.getByRole('button', { name: 'Delete site' }).click();
      await expect(page.getByRole('row', { name: /Blog/ })).toHaveCount(0);
    });

    test("shows the server's refusal at its field, else says that saving failed", async () => {
      await page.getByRole('button', { name: 'Add Site' }).first().click();
      await field('Name').fill('Again');
      await field('Primary domain').fill('shop.example.com');
      await field('Upstream URL').fill('http://127.0.0.1:9');
      await send('Create Site');
      await expect(
        dialog()
          .getByText(/shop\.example\.com/)
          .last(),
      ).toBeVisible();
      const mend = await breakCall(page, '/sites');
      await send('Create Site');
      await expect(page.getByText('Failed to save site')).toBeVisible();
      await mend();
      await send('Cancel');
      await page.getByRole('button', { name: 'Discard' }).click();
      await expect(dialog()).toHaveCount(0);
    });

    test('names the site that it is about to delete', async () => {
      await page.getByRole('button', { name: 'Configure Shop' }).click();
      await dialog().getByRole('button', { name: 'Delete site' }).click();
      const question = page.getByRole('dialog', { name: 'Delete Shop?' });
      await expect(question).toContainText('shop.example.com, www.shop.example.com');
      await expectAccessible(page);
      await question.getByRole('button', { name: 'Cancel' }).click();
      await page.keyboard.press('Escape');
    });

    test('says that it failed to load, with Retry', async () => {
      const mend = await breakCall(page, '/sites');
      await page.reload();
      await expect(page.getByText('Failed to Load Sites', { exact: true })).toBeVisible();
      await expect(
        page.getByText('Failed to load sites data. Please try refreshing the page.'),
      ).toBeVisible();
      await mend();
      await page.getByRole('button', { name: 'Retry' }).click();
      await expect(page.getByRole('row', { name: /Shop/ })).toBeVisible();
    });

    test('lets an operator change sites and not delete them, and a viewer only look', async ({ browser }) => {
      const hers = await arrive(browser, staffed.product, operator, '/sites');
      await hers.getByRole('button', { name: 'Configure Shop' }).click();
      await expect(hers.getByRole('button', { name: 'Update Site' })).toBeVisible();
      await expect(hers.getByRole('button', { name: 'Delete site' })).toHaveCount(0);
      await hers.context().close();
      const his = await arrive(browser, staffed.product, viewer, '/sites');
      await expect(his.getByRole('row', { name: /Shop/ })).toBeVisible();
      await expect(his.getByRole('button', { name: 'Add Site' })).toHaveCount(0);
      await expect(his.getByRole('button', { name: 'Configure Shop' })).toHaveCount(0);
      await his.context().close();
    });
  });
