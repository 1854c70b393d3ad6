import { expect, type Page, test } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from '../product/accessible.ts';
import { attack, type Shop, signedIn, startShop } from '../product/shop.ts';
import { breakCall, enter, operator, viewer } from '../product/staff.ts';

const attacks = 12;

test.describe
  .serial('Dashboard', () => {
    let shop: Shop;
    let page: Page;
    const card = (label: string) => page.getByText(label, { exact: true }).first().locator('..');
    const panel = (name: string) => page.getByRole('region', { name, exact: true });
    const ofPath = (path: string) =>
      page.waitForRequest((request) => new URL(request.url()).pathname === `/api${path}`);
    /** The next call to this path that the page makes, once its clock has run on. */
    const asksAgain = async (path: string, seconds: number) => {
      const asked = ofPath(path);
      await page.clock.runFor(seconds * 1000);
      await asked;
    };

    test.beforeAll(async ({ browser }) => {
      shop = await startShop();
      for (let index = 0; index < attacks; index++) {
        const path = `/${index < 8 ? 'search' : 'login'}?q=${attack}`;
        expect(await shop.status(path, `127.0.0.${index < 9 ? 20 : 21}`)).toBe(403);
      }
      await expect
        .poll(async () => ((await shop.api.get('/metrics')) as { blockedRequests: number }).blockedRequests)
        .toBe(attacks);
      page = await signedIn(browser, shop.api.token, shop.product.console);
    });
    test.afterAll(async () => {
      await page.context().close();
      await shop.stop();
    });

    test('shows its four figures, the last hours and the health of each site', async () => {
      await expect(page.getByTestId('header-title')).toHaveText('Dashboard');
      const { totalRequests } = (await shop.api.get('/metrics')) as { totalRequests: number };
      await expect(card('Total Requests')).toContainText(`${totalRequests}All time`);
      const rate = ((attacks / totalRequests) * 100).toFixed(2);
      await expect(card('Blocked Requests')).toContainText(`${attacks}${rate}% block rate`);
      await expect(card('QPS')).toContainText(/\d+\.\d\dQueries per second/);
      await expect(card('Active Sites')).toContainText('1Protected domains');
      const traffic = panel('Traffic Overview');
      await expect(traffic).toContainText('Last 24 hours');
      for (const label of ['Total Requests', 'Blocked', 'Block rate']) {
        await expect(traffic.getByRole('term').filter({ hasText: label }).first()).toBeVisible();
      }
      const hours = traffic.getByRole('table');
      for (const header of ['Time', 'Requests', 'Blocked']) {
        await expect(hours.getByRole('columnheader', { name: header })).toBeVisible();
      }
      await expect(hours.locator('tbody tr')).toHaveCount(6);
      await expect(
        hours
          .locator('tbody tr')
          .filter({ hasText: String(attacks) })
          .first(),
      ).toBeVisible();
      await expect(panel('Site Health')).toContainText('shop.example.com');
      await expect(panel('Site Health')).toContainText('Healthy');
      await expect(panel('Site Health')).toContainText(`${attacks} blocked`);
    });

    test('lists the ten newest threats of those it fetched', async () => {
      const threats = panel('Recent Threats').getByRole('table');
      for (const header of ['Time', 'IP Address', 'Threat Type', 'Site', 'Action']) {
        await expect(threats.getByRole('columnheader', { name: header })).toBeVisible();
      }
      const rows = threats.locator('tbody tr');
      await expect(rows).toHaveCount(10);
      await expect(rows.first()).toContainText('127.0.0.21');
      await expect(rows.first()).toContainText('SQL injection');
      await expect(rows.first()).toContainText('blocked');
      const fetched = page.waitForRequest(/\/api\/audit\?.*limit=20.*action=blocked/);
      await page.reload();
      await fetched;
    });

    test('says that threats are loading, what was done to each, and that there are none', async () => {
      const held = Promise.withResolvers<void>();
      const decisions = ['block', 'challenge', 'log'];
      let answer: object[] = decisions.map((decision) => ({
        ...{ id: decision, timestamp: new Date().toISOString(), level: 'warning', action: decision },
        ...{
          message: '<img src=x onerror=alert(1)>',
          decision,
          clientIP: '127.0.0.1',
          siteName: '<b>Shop</b>',
        },
      }));
      await page.route(/\/api\/audit\?.*limit=20/, async (route) => {
        await held.promise;
        await route.fulfill({ json: answer });
      });
      await page.reload();
      const threats = panel('Recent Threats');
      await expect(threats.getByText('Loading threats...')).toBeVisible();
      held.resolve();
      for (const label of ['blocked', 'challenged', 'logged']) {
        await expect(threats.getByText(label, { exact: true })).toBeVisible();
      }
      await expect(threats.getByText('<b>Shop</b>').first()).toBeVisible();
      answer = [];
      await page.reload();
      await expect(threats.getByText('No threats detected')).toBeVisible();
      await page.unrouteAll();
      await page.reload();
    });

    test('leads from each picture to the events behind it', async () => {
      const ranked = (name: string) => panel(name).getByRole('listitem');
      await expect(ranked('Threats by category').first()).toContainText(`SQL injection${attacks}`);
      await expect(ranked('Top attackers').first()).toContainText('127.0.0.209');
      await expect(ranked('Top targets').first()).toContainText('/search8');
      for (const [picture, link, filter, count] of [
        ['Threats by category', 'SQL injection', 'Category SQL injection', attacks],
        ['Top attackers', '127.0.0.20', 'Client 127.0.0.20', 9],
        ['Top targets', '/search', 'Path /search', 8],
      ] as const) {
        await panel(picture).getByRole('link', { name: link }).click();
        await expect(page.getByRole('button', { name: `Remove ${filter}` })).toBeVisible();
        await expect(page.getByRole('table', { name: 'Event history' }).locator('tbody tr')).toHaveCount(
          count,
        );
        await page.goBack();
      }
    });

    test('zooms into a stretch of traffic, by keyboard and by drag, and shows its events', async () => {
      const chart = panel('Traffic Overview').getByRole('slider');
      await chart.focus();
      await page.keyboard.press('ArrowLeft');
      await expect(chart).toHaveAttribute('aria-valuetext', /Requests \d+, Blocked \d+/);
      await page.keyboard.press('Shift+ArrowLeft');
      await expect(chart).toHaveAttribute('aria-valuetext', / to .* chosen/);
      await page.keyboard.press('Enter');
      await panel('Traffic Overview').getByRole('link', { name: 'Show events' }).click();
      await expect(page).toHaveURL(/view=history&from=.*&to=/);
      await expect(page.getByRole('table', { name: 'Event history' }).locator('tbody tr')).toHaveCount(
        attacks,
      );
      await page.goBack();
      const box = await chart.boundingBox();
      if (!box) throw new Error('the chart is not drawn');
      await page.mouse.move(box.x + box.width * 0.5, box.y + 80);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width - 6, box.y + 90, { steps: 4 });
      await page.mouse.up();
      await panel('Traffic Overview').getByRole('button', { name: 'Reset zoom' }).click();
      await expect(panel('Traffic Overview')).toContainText('Drag across the chart to zoom in.');
    });

    test('asks anew as often as it says, and dims what is old when it gets no answer', async () => {
      await page.clock.install();
      await page.reload();
      await expect(card('QPS')).toContainText('Queries per second');
      await asksAgain('/metrics', 5);
      await asksAgain('/audit', 10);
      await asksAgain('/monitoring/traffic/hourly', 30);
      const mend = await breakCall(page, '/metrics');
      await page.clock.runFor(6000);
      const banner = page.getByRole('main').getByRole('alert');
      await expect(banner).toContainText('Some data may be outdated due to connection issues');
      await expect(card('Total Requests')).toContainText('All time');
      const again = ofPath('/metrics');
      await banner.getByRole('button', { name: 'Retry' }).click();
      await again;
      await mend();
      await expect(banner).toHaveCount(0);
    });

    test('says what failed and goes on with the rest', async () => {
      const mends = [
        await breakCall(page, '/monitoring/traffic/hourly'),
        await breakCall(page, '/metrics/breakdown'),
        await breakCall(page, '/audit'),
      ];
      await page.reload();
      await page.clock.runFor(1000);
      await expect(page.getByText('Traffic history is unavailable')).toBeVisible();
      await expect(page.getByText('Threat feed is unavailable')).toBeVisible();
      await expect(page.getByText('Threat figures are unavailable')).toHaveCount(3);
      await expect(card('Total Requests')).toContainText('All time');
      const hourly = ofPath('/monitoring/traffic/hourly');
      await panel('Traffic Overview').getByRole('button', { name: 'Retry' }).click();
      await hourly;
      for (const mend of mends) await mend();
      await page.clock.runFor(30_000);
      await expect(panel('Traffic Overview').getByRole('table')).toBeVisible();
      const mend = await breakCall(page, '/metrics');
      await page.reload();
      await page.clock.runFor(1000);
      await expect(page.getByText('Failed to Load Dashboard')).toBeVisible();
      await expect(page.getByText('There was an error loading the dashboard metrics')).toBeVisible();
      await expectAccessible(page);
      const again = ofPath('/metrics');
      await page.getByRole('button', { name: 'Retry' }).click();
      await again;
      await mend();
      await expect(card('Active Sites')).toContainText('Protected domains');
      await page.setViewportSize({ width: 360, height: 760 });
      await expectNoSidewaysScroll(page);
    });

    test('is open to every role, and closed to who lacks metrics:view', async ({ browser }) => {
      for (const account of [operator, viewer]) {
        const other = await enter(browser, shop.product, account);
        await expect(other.getByRole('heading', { name: 'Recent Threats' })).toBeVisible();
        await other.route('**/api/auth/me', async (route) => {
          const answer = await route.fetch();
          const { user } = (await answer.json()) as { user: { permissions: string[] } };
          const permissions = user.permissions.filter((permission) => permission !== 'metrics:view');
          await route.fulfill({ response: answer, json: { user: { ...user, permissions } } });
        });
        await other.reload();
        await expect(other.getByRole('heading', { name: 'Access Restricted' })).toBeVisible();
        await expect(other.getByText("You don't have permission to view this content.")).toBeVisible();
        await other.context().close();
      }
    });
  });
