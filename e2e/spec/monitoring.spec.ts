import { expect, type Page, test } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from '../product/accessible.ts';
import { type Line, startLine } from '../product/line.ts';
import { attack, type Shop, signedIn, startShop } from '../product/shop.ts';
import { breakCall, enter, operator, viewer } from '../product/staff.ts';

test.describe
  .serial('System Monitoring', () => {
    let shop: Shop;
    let line: Line;
    let page: Page;
    const card = (label: string) => page.getByText(label, { exact: true }).first().locator('..');
    const panel = (name: string) => page.getByRole('region', { name, exact: true });
    const ofPath = (path: string) =>
      page.waitForRequest((request) => new URL(request.url()).pathname === path);

    test.beforeAll(async ({ browser }) => {
      shop = await startShop();
      line = await startLine(shop.product.console);
      expect(await shop.status(`/?id=${attack}`)).toBe(403);
      page = await signedIn(browser, shop.api.token, `${line.url}/monitoring`);
    });
    test.afterAll(async () => {
      await page.context().close();
      await line.stop();
      await shop.stop();
    });

    test('shows the eight figures of the machine and its sites, live', async () => {
      await expect(page.getByTestId('header-title')).toHaveText('System Monitoring');
      await expect(page.getByRole('heading', { name: 'System Monitoring', level: 1 })).toBeVisible();
      await expect(page.getByRole('status').filter({ hasText: 'Live' })).toBeVisible();
      for (const [label, figure] of [
        ['System Uptime', /\dh \d+m/],
        ['CPU Usage', /\d+\.\d%/],
        ['Memory Usage', /\d+\.\d%\d+\.\d\/\d+\.\d GB/],
        ['Active Connections', /\d/],
        ['Healthy Sites', /1\/1/],
        ['Active Alerts', /\d/],
        ['Disk Usage', /\d+\.\d%\d+\.\d\/\d+\.\d GB/],
        ['Network I/O', /in\d+\.\dout\d+\.\dKB\/s/],
      ] as const) {
        await expect(card(label), label).toContainText(figure);
      }
    });

    test('draws the newest samples and says them in bytes', async () => {
      const performance = panel('System Performance');
      await expect(performance).toContainText('Last 30 samples');
      await expect(performance.getByRole('slider', { name: /CPU .*%, memory .*%, disk .*%/ })).toBeVisible();
      for (const tile of [
        'Memory used',
        'Memory total',
        'Disk used',
        'Disk total',
        'Network in',
        'Network out',
      ]) {
        const value = performance.getByRole('term').filter({ hasText: tile }).locator('..');
        await expect(value).toContainText(/\d+(\.\d+)? (B|KB|MB|GB|TB)$/);
      }
      const bar = page.getByRole('progressbar', { name: 'Disk Usage' }).or(page.getByLabel('Disk Usage'));
      await expect(bar.first()).toBeVisible();
    });

    test('lists the health of each site and what needs attention', async () => {
      const row = panel('Site Health Status').getByRole('row').filter({ hasText: 'Shop' });
      await expect(row).toContainText('shop.example.com');
      await expect(row).toContainText('Online');
      await expect(row).toContainText('Healthy');
      for (const header of ['Site', 'State', 'Requests', 'Blocked', 'QPS', 'Uptime']) {
        await expect(panel('Site Health Status').getByRole('columnheader', { name: header })).toBeVisible();
      }
      // A busy machine has an alert of its own; else the words say that all is well.
      const alerts = panel('System Alerts');
      const quiet = alerts.getByText('All systems operating normally');
      const busy = alerts.getByText(/High (CPU|memory|disk) usage/).first();
      await expect(quiet.or(busy)).toBeVisible();
    });

    test('lists every gateway and service, and what of one asks for attention', async () => {
      const fleet = panel('Gateways and services');
      await expect(fleet.getByRole('row').filter({ hasText: 'Service on' })).toContainText(
        /Healthy.*on duty.*\d MB/,
      );
      await expect(fleet.getByRole('row').filter({ hasText: 'Gateway on' })).toHaveCount(1);
      await expect(fleet).toContainText('1 service, 1 gateway');
      for (const header of [
        'Name',
        'Version',
        'Configuration',
        'Load',
        'CPU, memory',
        'Events unsent',
        'Last seen',
      ]) {
        await expect(fleet.getByRole('columnheader', { name: header })).toBeVisible();
      }
      const list = (await shop.api.get('/fleet')) as { members: Record<string, unknown>[] };
      const [service, gateway] = list.members;
      const gone = {
        ...gateway,
        state: 'absent',
        warnings: [{ code: 'absent', text: 'Not heard of for 3 min' }],
      };
      const answers = [
        { json: { ...list, members: [service, gone] } },
        { json: { ...list, members: [] } },
        { status: 500, json: { error: 'It broke' } },
      ];
      await page.route('**/api/fleet', (route) => route.fulfill(answers[0]));
      await expect(fleet.getByRole('row').nth(1)).toContainText('AbsentGateway');
      await expect(fleet).toContainText('Not heard of for 3 min');
      await expect(fleet).toContainText('1 needs attention');
      await expectAccessible(page);
      answers.splice(0, 2);
      await expect(fleet).toContainText('Showing data from');
      await expect(fleet).toContainText('Not heard of for 3 min');
      await page.reload();
      await expect(fleet.getByRole('alert')).toContainText('What gateways and services say is unavailable');
      answers.unshift({ json: { ...list, members: [] } });
      await fleet.getByRole('button', { name: 'Retry' }).click();
      await expect(fleet).toContainText('No gateway or service has said anything yet');
      await page.unroute('**/api/fleet');
      await expect(fleet.getByRole('row')).toHaveCount(3);
    });

    test('shows response times and statuses, and leads to the events behind them', async () => {
      await expect(panel('Response time').getByRole('slider')).toHaveAttribute(
        'aria-valuetext',
        /p50.*p95.*p99/,
      );
      await panel('Response time').getByRole('slider').focus();
      for (const key of ['ArrowLeft', 'Shift+ArrowLeft', 'Enter']) await page.keyboard.press(key);
      await expect(page).toHaveURL(/\/logs\?view=history&from=.*&to=/);
      await page.goBack();
      await panel('Response time').getByText('24h', { exact: true }).click();
      const statuses = panel('Responses by status');
      await expect(statuses.getByRole('listitem')).toHaveCount(4);
      await statuses.getByRole('link', { name: '4xx refused or not found' }).click();
      await expect(page.getByRole('button', { name: 'Remove Status 4xx' })).toBeVisible();
      await expect(page.getByRole('table', { name: 'Event history' }).locator('tbody tr')).toHaveCount(1);
      await page.goBack();
      await expect(panel('Response time')).toBeVisible();
    });

    test('says when the figures fail, keeps what it has, and asks as often as it says', async () => {
      await page.clock.install();
      await page.reload();
      await expect(page.getByRole('status').filter({ hasText: 'Live' })).toBeVisible();
      const metrics = ofPath('/api/metrics');
      await page.clock.runFor(5000);
      await metrics;
      const sites = ofPath('/api/sites');
      await page.clock.runFor(30_000);
      await sites;
      const mends = [await breakCall(page, '/metrics'), await breakCall(page, '/metrics/latency')];
      await page.clock.runFor(6000);
      await expect(page.getByRole('status').filter({ hasText: 'Error' })).toBeVisible();
      await expect(
        page.getByText('Failed to load monitoring data. Some metrics may be unavailable.'),
      ).toBeVisible();
      await expect(card('System Uptime')).toContainText(/\dh/);
      await expectAccessible(page);
      const again = ofPath('/api/metrics');
      await page.getByRole('button', { name: 'Retry' }).first().click();
      await again;
      for (const mend of mends) await mend();
      await expect(page.getByRole('status').filter({ hasText: 'Live' })).toBeVisible();
    });

    test('says when the stream of samples is lost, keeps the last one, and comes back by itself', async () => {
      line.cut();
      await expect(page.getByText('Connection lost. Reconnecting...')).toBeVisible();
      await expect(card('CPU Usage')).toContainText('%');
      line.mend();
      await page.clock.runFor(6000);
      await expect(page.getByText('Connection lost. Reconnecting...')).toHaveCount(0);
    });

    test('is open to every role, fits a phone, and says when there is no site', async ({ browser }) => {
      for (const account of [operator, viewer]) {
        const other = await enter(browser, shop.product, account);
        await other.getByRole('link', { name: 'Monitoring' }).click();
        await expect(other.getByText('Site Health Status')).toBeVisible();
        await other.context().close();
      }
      await page.setViewportSize({ width: 360, height: 760 });
      await expectNoSidewaysScroll(page);
      await page.route('**/api/sites', (route) => route.fulfill({ json: [] }));
      await page.reload();
      await expect(page.getByText('No sites configured for monitoring')).toBeVisible();
    });
  });
