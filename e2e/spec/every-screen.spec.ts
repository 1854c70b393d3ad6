import { expect, type Page, test } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from '../product/accessible.ts';
import { screens } from '../product/screens.ts';
import { type Staffed, startStaffed } from '../product/staff.ts';
import { startUpstream } from '../product/upstream.ts';

/** Screens whose own file has axe look at them, and at their dialogs, in each appearance. */
const judgedElsewhere: ReadonlySet<string> = new Set([
  'login',
  'dashboard',
  'logs',
  'monitoring',
  'settings',
  'profile',
  'edit-profile',
  'change-password',
  'two-factor',
  'preferences',
]);

/** Whoever uses the console by keyboard, screen reader, enlarged or on a phone uses all of it. */
test.describe('every screen', () => {
  let staffed: Staffed;
  let upstream: Awaited<ReturnType<typeof startUpstream>>;
  test.beforeAll(async () => {
    upstream = await startUpstream((_request, response) => response.end('fine'));
    staffed = await startStaffed();
    await staffed.api.post('/sites', {
      name: 'Shop',
      domains: ['shop.example.com'],
      backend_url: upstream.url,
    });
  });
  test.afterAll(async () => {
    await staffed.stop();
    await upstream.stop();
  });

  async function expectSound(page: Page, name: string, route: string): Promise<void> {
    const refused: string[] = [];
    page.on('console', (message) => {
      if (/Content Security Policy|Refused to/.test(message.text())) refused.push(message.text());
    });
    page.on('pageerror', (error) => refused.push(error.message));
    const answer = await page.goto(`${staffed.product.console}${route}`);
    const policy = answer?.headers()['content-security-policy'];
    expect(policy).toMatch(/script-src 'self'/);
    expect(policy).not.toMatch(/script-src [^;]*unsafe/);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    if (!judgedElsewhere.has(name)) await expectAccessible(page);
    for (const width of [720, 360]) {
      await page.setViewportSize({ width, height: 760 });
      await expectNoSidewaysScroll(page);
    }
    expect(refused).toEqual([]);
  }

  test('of the sign-in is accessible, fits a phone, and loads nothing that the policy refuses', async ({
    page,
  }) => {
    await expectSound(page, 'login', '/login');
  });

  for (const [name, route] of Object.entries(screens)) {
    test(`${name} is accessible, fits a phone, and loads nothing that the policy refuses`, async ({
      page,
    }) => {
      await page.addInitScript(`localStorage.setItem('token', '${staffed.api.token}')`);
      await expectSound(page, name, route);
    });
  }
});
