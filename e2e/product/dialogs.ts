import { expect, type Page } from '@playwright/test';

/** Something that opens over a screen. */
export interface Opened {
  /** the route, and what it is */
  readonly name: string;
  readonly route: string;
  /** whose session shows it: the administrator's, or that of somebody with a second factor (default admin) */
  readonly as?: 'admin' | 'two-factor';
  /** below a width of 860 px alone, where the sidebar is a drawer */
  readonly narrow?: true;
  open(page: Page): Promise<unknown>;
}

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' }).first();
const press = (name: string | RegExp) => (page: Page) => button(page, name).click();
const within = (name: string | RegExp) => (page: Page) =>
  page
    .getByRole('dialog')
    .last()
    .getByRole('button', { name, exact: typeof name === 'string' })
    .first()
    .click();
const choose = (label: string) => (page: Page) =>
  page.getByRole('dialog').getByText(label, { exact: true }).first().click();
const type = (label: string, text: string) => (page: Page) =>
  page.getByRole('dialog').getByLabel(label).first().fill(text);
const key = (name: string) => (page: Page) => page.keyboard.press(name);

type Step = (page: Page) => Promise<unknown>;
const of = (route: string, name: string, ...steps: Step[]): Opened => ({
  name,
  route,
  async open(page) {
    for (const step of steps) await step(page);
  },
});

const firstEvent: Step = async (page) =>
  page
    .getByRole('table', { name: 'Event history' })
    .locator('tbody tr')
    .first()
    .getByRole('button')
    .first()
    .click();
const history = '/logs?view=history&action=blocked';
const inMain = (name: string) => (page: Page) =>
  page.getByRole('main').getByRole('button', { name, exact: true }).first().click();
const list = (name: string) => async (page: Page) => {
  await page.getByRole('combobox', { name }).first().click();
  await expect(page.getByRole('option').first()).toBeVisible();
};
/** Every switch of the site form on, so that all that belongs to one is there. */
const allOn: Step = async (page) => {
  for (const name of [
    'Enable SSL',
    'Strict-Transport-Security (HSTS)',
    'Enable CORS',
    'Enable bot protection',
  ]) {
    const control = page.getByRole('dialog').getByLabel(name, { exact: true });
    await control.focus();
    await control.press('Space');
    await expect(control).toBeChecked();
  }
};

/** A phone shows the search alone at first. */
const furtherFilters: Step = async (page) => {
  const more = button(page, 'Filters');
  if (await more.isVisible()) await more.click();
};
const dialogThere: Step = (page) => expect(page.getByRole('dialog').last()).toBeVisible();
const maintenance: Step = (page) => page.getByLabel('Maintenance mode (blocks all traffic)').check();
const leave: Step = (page) =>
  page.getByRole('navigation', { name: 'Settings sections' }).getByRole('link', { name: 'Security' }).click();
const notificationFields: Step = async (page) => {
  await page.getByLabel('Enable email notifications').check();
  await page.getByLabel('Enable Slack notifications').check();
  await page.getByLabel('Webhook URL', { exact: true }).fill('https://hooks.example.com/services/x');
  await page.getByLabel('Enable webhook notifications').check();
  await page.getByLabel('Enable quiet hours').check();
};
const tryRequest: Step = async (page) => {
  await page
    .getByLabel('HTTP request', { exact: true })
    .fill("GET /items?id=1'+UNION+SELECT+password+FROM+users-- HTTP/1.1\nHost: wiki.example.com");
  await button(page, 'Test Request').click();
  // The tester's thread starts with the first request.
  await expect(page.getByRole('region', { name: 'Result' }).locator('mark').first()).toBeVisible({
    timeout: 30_000,
  });
};

/** Every dialog, drawer, panel and menu. @param site whose protection is shown */
export const dialogs = (site: string): readonly Opened[] => [
  { ...of('/', 'menu', press('Open menu'), dialogThere), narrow: true },
  of('/', 'palette', key('Control+k'), (page) => expect(page.getByRole('option').first()).toBeVisible()),
  of('/', 'notifications', press(/^Notifications/)),
  of('/', 'account-menu', (page) => page.locator('header button[aria-haspopup=menu]').click()),
  of('/sites', 'add-site', press('Add Site')),
  of('/sites', 'add-site-refused', press('Add Site'), within('Create Site')),
  of('/sites', 'add-site-all-on', press('Add Site'), allOn),
  of('/sites', 'edit-site', press(/^Configure/)),
  of('/sites', 'delete-site', press(/^Configure/), within('Delete site')),
  of('/sites', 'discard', press('Add Site'), type('Name', 'Shop'), key('Escape')),
  of(`/protection?site=${site}`, 'templates', press('Add Rule')),
  of(`/protection?site=${site}`, 'custom-rule', press('Add Rule'), (page) =>
    page.getByRole('tab', { name: 'Custom Rule' }).click(),
  ),
  of(`/protection?site=${site}&builtIn=`, 'built-in-rules', dialogThere),
  of(`/protection?site=${site}`, 'choose-site', list('Select a site')),
  of(`/protection?site=${site}`, 'edit-rule', press(/^Edit rule /), dialogThere),
  of(`/protection?site=${site}`, 'ruleset', press(/^Edit ruleset/)),
  of(`/protection?site=${site}`, 'remove-rule', press(/^Edit ruleset/), within(/^Remove rule/)),
  of(`/protection?site=${site}`, 'delete-ruleset', press(/^Delete ruleset/)),
  of(`/protection?site=${site}`, 'exception', press('Add Exception')),
  of(`/protection?site=${site}`, 'edit-exception', press(/^Edit exception/)),
  of(`/protection?site=${site}`, 'remove-exception', press(/^Remove exception/)),
  of(`/protection/test?site=${site}`, 'test-result', tryRequest),
  of('/address-lists', 'add-list', press('Add List')),
  of('/address-lists', 'edit-list', press(/^Edit list/)),
  of('/address-lists', 'delete-list', press(/^Delete list/)),
  of('/certificates', 'certificate', press(/^Details of the certificate/)),
  of('/certificates', 'add-certificate', press('Add Certificate')),
  of('/certificates', 'delete-certificate', press(/^Details of the certificate/), within('Delete')),
  of('/logs', 'log-levels', furtherFilters, list('Log level')),
  of('/logs', 'live-event', (page) => page.getByTestId('log-scroller').getByRole('button').first().click()),
  of(history, 'event', firstEvent),
  of(history, 'allow', firstEvent, within(/^Allow/)),
  of(history, 'block-address', firstEvent, within(/^Block/)),
  of('/users', 'create-user', press('Create User')),
  of('/users', 'create-user-refused', press('Create User'), within('Create User')),
  of('/users', 'edit-user', press('Edit grace@example.com')),
  of('/users', 'reset-2fa', press('Edit grace@example.com'), within('Reset 2FA')),
  of('/users', 'delete-user', press('Delete grace@example.com')),
  of('/configuration', 'version', press(/^Open version/)),
  of(
    '/configuration',
    'restore',
    (page) =>
      page
        .getByRole('button', { name: /^Open version/ })
        .nth(2)
        .click(),
    within('Restore this version'),
  ),
  of('/configuration', 'export', press('Export')),
  of('/configuration', 'import', press('Import')),
  of('/settings', 'maintenance', maintenance, press('Save General Settings'), dialogThere),
  of('/settings', 'leave', (page) => page.getByLabel('System name').fill('Front gate'), leave, dialogThere),
  of('/settings?tab=security', 'rotate', press('Rotate')),
  of('/settings?tab=notifications', 'notifications-open', notificationFields),
  of(
    '/profile',
    'enable-2fa',
    (page) => page.getByRole('main').getByRole('button', { name: 'Enable 2FA' }).click(),
    (page) => expect(page.getByRole('img', { name: /QR code/ })).toBeVisible(),
  ),
  { ...of('/profile', 'disable-2fa', inMain('Disable 2FA'), dialogThere), as: 'two-factor' },
  { ...of('/profile/2fa', 'two-factor-on'), as: 'two-factor' },
  {
    ...of('/profile/2fa', 'renew-codes', inMain('Generate New Backup Codes'), dialogThere),
    as: 'two-factor',
  },
  { ...of('/users', 'restricted'), as: 'two-factor' },
  of('/profile/preferences', 'timezones', list('Timezone')),
  of('/profile/sessions', 'revoke-session', press('Revoke all others')),
  of('/profile/tokens', 'create-token', press('Create Token')),
  of(
    '/profile/tokens',
    'token-secret',
    press('Create Token'),
    type('Name', `sweep ${Date.now()}`),
    choose('audit:view'),
    within('Create Token'),
    (page) => expect(page.getByRole('button', { name: 'Copy token' })).toBeVisible(),
  ),
  of('/profile/tokens', 'revoke-token', press(/^Revoke/)),
];
