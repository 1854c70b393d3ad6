import { readFile } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from '../product/accessible.ts';
import { type Line, startLine } from '../product/line.ts';
import { attack, openEvent, type Shop, signedIn, startShop, watchLog } from '../product/shop.ts';
import { breakCall, enter, operator, viewer } from '../product/staff.ts';
import { ask } from '../product/upstream.ts';

const markup = '<img src=x onerror="document.title=1">';

test.describe
  .serial('Security Logs', () => {
    let shop: Shop;
    let line: Line;
    let page: Page;
    const events = () =>
      page.getByRole('region', { name: 'Live events, newest first' }).getByRole('listitem');
    const counter = (label: string) => page.getByText(label, { exact: true }).first().locator('..');
    const history = () => page.getByRole('table', { name: 'Event history' }).locator('tbody tr');
    const attackOf = async (path: string) => expect(await shop.status(`${path}?id=${attack}`)).toBe(403);

    test.beforeAll(async ({ browser }) => {
      shop = await startShop();
      line = await startLine(shop.product.console);
      page = await signedIn(browser, shop.api.token, line.url);
      await watchLog(page, line.url);
    });
    test.afterAll(async () => {
      await page.context().close();
      await line.stop();
      await shop.stop();
    });

    test('shows what the gateway decides within a second, and counts it by level', async () => {
      await expect(page.getByTestId('header-title')).toHaveText('Security Logs');
      await expect(page.getByText('What the gateway decided, as it happens')).toBeVisible();
      for (const label of ['Total Events', 'Errors', 'Warnings', 'Info']) {
        await expect(counter(label)).toContainText(/\d/);
      }
      for (const button of ['Pause', 'Export', 'Clear']) {
        await expect(page.getByRole('button', { name: button, exact: true })).toBeVisible();
      }
      await attackOf('/first');
      const row = events().filter({ hasText: '/first' });
      await expect(row).toContainText('Error');
      await expect(row).toContainText('127.0.0.1');
      await expect(counter('Errors')).toContainText('1');
      const list = page.getByTestId('log-scroller');
      expect((await list.boundingBox())?.height).toBeLessThanOrEqual(600);
    });

    test('shows one event in full, its attack as text, and copies exactly', async () => {
      const { status } = await ask({
        port: shop.product.gatewayPort,
        host: shop.host,
        path: `/detail?id=${attack}`,
        headers: { 'user-agent': markup },
      });
      expect(status).toBe(403);
      const event = await openEvent(page, '/detail');
      await expect(event).toContainText('Why it matched');
      await expect(event.locator('mark').first()).toContainText(/union select/i);
      await expect(event.getByText("1' UNION SELECT password FROM users--").first()).toBeVisible();
      await expect(event).toContainText(/Transformations: \w+|Matched as sent/);
      await expect(event).toContainText('query:id');
      await expect(event).toContainText(/(medium|high|critical) · \+\d+/);
      for (const fact of [
        'Time',
        'Client',
        'Request',
        'Site',
        'Status',
        'Rule',
        'Category',
        'Score',
        'Request ID',
      ]) {
        await expect(event.getByRole('term').filter({ hasText: new RegExp(`^${fact}$`) })).toBeVisible();
      }
      await expect(event.getByText(markup, { exact: true }).first()).toBeVisible();
      await event.getByRole('button', { name: 'Copy Request ID' }).click();
      await expect(page.getByText('Copied to clipboard')).toBeVisible();
      const requestId = await page.evaluate('navigator.clipboard.readText()');
      expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
      await event.getByRole('button', { name: 'Copy decoded value' }).first().click();
      await expect
        .poll(() => page.evaluate('navigator.clipboard.readText()'))
        .toBe("1' UNION SELECT password FROM users--");
      await expectAccessible(page);
      await event.getByRole('link', { name: 'All from this address' }).click();
      await expect(event).toHaveCount(0);
      await expect(page.getByRole('button', { name: 'Remove Client 127.0.0.1' })).toBeVisible();
      await history().getByRole('button').first().click();
      await event.getByRole('link', { name: 'All by this rule' }).click();
      await expect(event).toHaveCount(0);
      await expect(page).toHaveURL(/view=history&rule=/);
      await page.goto(`${line.url}/logs?view=history&q=${requestId}`);
      await expect(history()).toHaveCount(1);
      await expect(history().first()).toContainText('blocked');
      await watchLog(page, line.url);
    });

    test('pauses, and shows on Resume what came meanwhile', async () => {
      await page.getByRole('button', { name: 'Pause' }).click();
      await expect(page.getByText('Paused', { exact: true })).toBeVisible();
      await attackOf('/while-paused');
      await expect(events().filter({ hasText: '/while-paused' })).toHaveCount(0);
      await page.getByRole('button', { name: 'Resume' }).click();
      await expect(page.getByText('Connected', { exact: true })).toBeVisible();
      await expect(events().filter({ hasText: '/while-paused' })).toHaveCount(1);
    });

    test('stands still under the pointer, says what came meanwhile, and shows it on leaving', async () => {
      await events().filter({ hasText: '/while-paused' }).hover();
      await attackOf('/while-reading');
      await expect(page.getByRole('button', { name: '1 new event' })).toBeVisible();
      await expect(events().filter({ hasText: '/while-reading' })).toHaveCount(0);
      await page.mouse.move(0, 0);
      await expect(events().filter({ hasText: '/while-reading' })).toHaveCount(1);
    });

    test('filters by text, level and site, and clears the filters', async () => {
      const filters = page.getByRole('search', { name: 'Filters' });
      await filters.getByLabel('Search').fill('/FIRST');
      await expect(events()).toHaveCount(1);
      await filters.getByLabel('Search').fill('nowhere at all');
      await expect(page.getByText('No event matches these filters')).toBeVisible();
      await filters.getByRole('button', { name: 'Clear filters' }).click();
      await filters.getByRole('combobox', { name: 'Log level' }).click();
      for (const level of ['All', 'Errors', 'Warnings', 'Info', 'Debug']) {
        await expect(page.getByRole('option', { name: level, exact: true })).toBeVisible();
      }
      await page.getByRole('option', { name: 'Errors' }).click();
      await expect(page).toHaveURL(/level=error/);
      await expect(events().filter({ hasText: '/first' })).toHaveCount(1);
      await filters.getByRole('combobox', { name: 'Site' }).click();
      await page.getByRole('option', { name: 'shop.example.com' }).click();
      await expect(page).toHaveURL(new RegExp(`site=${shop.siteId}`));
      await expect(events().filter({ hasText: '/first' })).toHaveCount(1);
      await filters.getByRole('button', { name: 'Clear filters' }).click();
      await expect(page).toHaveURL(/\/logs$/);
    });

    test('loses nothing while the connection is lost, and says that it is', async () => {
      await watchLog(page, line.url);
      await attackOf('/before-the-cut');
      await expect(events().filter({ hasText: '/before-the-cut' })).toHaveCount(1);
      line.cut();
      await expect(page.getByText('Connection lost - attempting to reconnect...')).toBeVisible();
      await expect(page.getByText('Disconnected', { exact: true })).toBeVisible();
      await attackOf('/during-the-cut');
      line.mend();
      await expect(page.getByText('Connected', { exact: true })).toBeVisible();
      await expect(events().filter({ hasText: '/during-the-cut' })).toHaveCount(1);
      await expect(events().filter({ hasText: '/before-the-cut' })).toHaveCount(1);
    });

    test('says that there is no token to open the stream with', async () => {
      const connection = page.getByRole('status').filter({ hasText: /Connected|Paused|Disconnected/ });
      await expect(connection).toHaveText('Connected');
      await page.getByRole('button', { name: 'Pause', exact: true }).click();
      const token = await page.evaluate("localStorage.getItem('token')");
      await page.evaluate("localStorage.removeItem('token')");
      await page.getByRole('button', { name: 'Resume', exact: true }).click();
      await expect(page.getByText('Authentication token missing')).toBeVisible();
      await expect(connection).toHaveText('Disconnected');
      await page.evaluate(`localStorage.setItem('token', '${token}')`);
      await page.getByRole('button', { name: 'Pause', exact: true }).click();
      await page.getByRole('button', { name: 'Resume', exact: true }).click();
      await expect(connection).toHaveText('Connected');
    });

    test('exports what it holds, and forgets it on Clear', async () => {
      const coming = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export', exact: true }).click();
      const file = await coming;
      expect(file.suggestedFilename()).toMatch(/^portcullis-logs-.*\.json$/);
      const held = JSON.parse(await readFile(await file.path(), 'utf8')) as { path?: string }[];
      expect(held.some(({ path }) => path?.startsWith('/during-the-cut'))).toBe(true);
      await page.getByRole('button', { name: 'Clear', exact: true }).click();
      await expect(counter('Total Events')).toContainText('0');
      await expect(page.getByText('Waiting for events')).toBeVisible();
    });

    test('searches what is stored, narrows it, exports it, and says when it cannot', async () => {
      const views = page.getByRole('radiogroup', { name: 'What to show' });
      await views.getByText('History', { exact: true }).click();
      await expect(history().filter({ hasText: 'blocked' })).toHaveCount(6);
      const narrowed = page.getByRole('region', { name: 'Most frequent' });
      await narrowed.getByRole('button', { name: /\/first/ }).click();
      await expect(history()).toHaveCount(1);
      await page.getByRole('button', { name: 'Remove Path /first' }).click();
      await expect(history()).toHaveCount(6);
      const coming = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export CSV' }).click();
      const lines = (await readFile(await (await coming).path(), 'utf8')).trim().split('\n');
      expect(lines).toHaveLength(7);
      await page.getByRole('search', { name: 'Filters' }).getByLabel('Search').fill('no such thing');
      await expect(page.getByText('No stored event fits')).toBeVisible();
      const mend = await breakCall(page, '/events');
      await page.reload();
      await expect(page.getByText('Event history is unavailable')).toBeVisible();
      await mend();
      await page.getByRole('button', { name: 'Retry' }).click();
      await expect(page.getByText('No stored event fits')).toBeVisible();
      await views.getByText('Admin actions', { exact: true }).click();
      await expect(page.getByText('The chain of entries is whole')).toBeVisible();
      await expect(page.getByRole('row').filter({ hasText: 'Site "Shop" was added' })).toContainText(
        'ada@example.com',
      );
    });

    test('goes on with a long search by itself, says how far back it came, and stops when told', async () => {
      let asked = 0;
      const hour = (back: number) => new Date(Date.UTC(2026, 0, 2) - back * 3_600_000).toISOString();
      await page.route(/\/api\/events\?/, async (route) => {
        asked += 1;
        await route.fulfill({
          json: { entries: [], next: `c${asked}`, partial: true, searchedTo: hour(asked) },
        });
      });
      await page.goto(`${line.url}/logs?view=history&q=nobody-ever-wrote-this`);
      const status = page.getByRole('status').filter({ hasText: 'Searched so far: back to' });
      await expect(status).toBeVisible();
      await expect.poll(() => asked).toBeGreaterThan(5);
      await page.getByRole('button', { name: 'Stop searching' }).click();
      await expect(page.getByRole('button', { name: 'Search further back' })).toBeEnabled();
      const stopped = asked;
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Search further back' }).click();
      await expect.poll(() => asked).toBe(stopped + 1);
      await expect(page.getByRole('button', { name: 'Search further back' })).toBeEnabled();
      expect(asked).toBe(stopped + 1);
      await page.unroute(/\/api\/events\?/);
    });

    test('leads from a match to what is known of its rule', async () => {
      await page.goto(`${line.url}/logs?view=history`);
      await history().getByRole('button').first().click();
      const event = page.getByRole('dialog', { name: 'Event' });
      const rule = event.getByRole('link', { name: /^sql-/ }).first();
      const id = (await rule.textContent()) ?? '';
      await rule.click();
      const catalogue = page.getByRole('dialog', { name: 'Built-in rules' });
      await expect(catalogue.getByRole('listitem').first()).toContainText(id);
      await expect(catalogue.getByRole('listitem').first()).toContainText('Blocks');
      await expect(catalogue.getByText('States are those on shop.example.com.')).toBeVisible();
    });

    test('finds what a site that is only watched let pass', async () => {
      await shop.api.put(`/sites/${shop.siteId}`, { watch_only: true });
      await expect.poll(() => shop.status(`/soon?id=${attack}`)).toBe(200);
      expect(await shop.status(`/watched?id=${attack}`)).toBe(200);
      await page.goto(`${line.url}/protection?site=${shop.siteId}`);
      await page.getByRole('link', { name: 'Only watched: what would have been stopped' }).click();
      await expect(history().filter({ hasText: '/watched' })).toContainText('would block');
      await expect(history().filter({ hasNotText: 'would block' })).toHaveCount(0);
      const decision = page.getByRole('combobox', { name: 'Decision' });
      await expect(decision).toHaveValue('Would have acted');
      await expectAccessible(page);
      for (const [name, found] of [
        ['Would have challenged', false],
        ['Would have blocked', true],
        ['Blocked', false],
      ] as const) {
        await decision.click();
        await page.getByRole('option', { name, exact: true }).click();
        await expect(history().filter({ hasText: '/watched' }).first()).toBeVisible({ visible: found });
      }
      await shop.api.put(`/sites/${shop.siteId}`, { watch_only: false });
    });

    test('is open to every role; only who holds audit:export may export', async ({ browser }) => {
      for (const [account, exports] of [
        [operator, 1],
        [viewer, 0],
      ] as const) {
        const other = await enter(browser, shop.product, account);
        await other.getByRole('link', { name: 'Logs', exact: true }).click();
        await expect(other.getByText('Connected', { exact: true })).toBeVisible();
        await expect(other.getByRole('button', { name: 'Clear', exact: true })).toBeVisible();
        await expect(other.getByRole('button', { name: 'Export', exact: true })).toHaveCount(exports);
        await other.context().close();
      }
    });

    test('ends with its session', async () => {
      await watchLog(page, line.url);
      await shop.api.post('/auth/logout', {});
      await expect(page).toHaveURL(/\/login/);
    });
  });
