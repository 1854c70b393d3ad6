import { expect, type Page } from '@playwright/test';

/** Something that opens over a screen. */
export interface Opened {
  /** the route, and what it is */
  readonly name: string;
  readonly route: string;
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

/** Every dialog, drawer, panel and menu. @param site whose protection is shown */
export const dialogs = (site: string): readonly Opened[] => [
  of('/', 'palette', key('Control+k'), (page) => expect(page.getByRole('option').first()).toBeVisible()),
  of('/', 'notifications', press(/^Notifications/)),
  of('/', 'account-menu', (page) => page.locator('header button[aria-haspopup=menu]').click()),
  of('/sites', 'add-site', press('Add Site')),
  of('/sites', 'add-site-refused', press('Add Site'), within('Create Site')),
  of('/sites', 'edit-site', press(/^Configure/)),
  of('/sites', 'delete-site', press(/^Configure/), within('Delete site')),
  of('/sites', 'discard', press('Add Site'), type('Name', 'Shop'), key('Escape')),
  of(`/protection?site=${site}`, 'templates', press('Add Rule')),
  of(`/protection?site=${site}`, 'custom-rule', press('Add Rule'), (page) =>
    page.getByRole('tab', { name: 'Custom Rule' }).click(),
  ),
  of(`/protection?site=${site}`, 'ruleset', press(/^Edit ruleset/)),
  of(`/protection?site=${site}`, 'delete-ruleset', press(/^Delete ruleset/)),
  of(`/protection?site=${site}`, 'exception', press('Add Exception')),
  of(`/protection?site=${site}`, 'edit-exception', press(/^Edit exception/)),
  of('/address-lists', 'add-list', press('Add List')),
  of('/address-lists', 'edit-list', press(/^Edit list/)),
  of('/address-lists', 'delete-list', press(/^Delete list/)),
  of('/certificates', 'certificate', press(/^Details of the certificate/)),
  of('/certificates', 'add-certificate', press('Add Certificate')),
  of('/certificates', 'delete-certificate', press(/^Details of the certificate/), within('Delete')),
  of(history, 'event', firstEvent),
  of(history, 'allow', firstEvent, within(/^Allow/)),
  of(history, 'block-address', firstEvent, within(/^Block/)),
  of('/users', 'create-user', press('Create User')),
  of('/users', 'create-user-refused', press('Create User'), within('Create User')),
  of('/users', 'edit-user', press('Edit grace@example.com')),
  of('/users', 'reset-2fa', press('Edit grace@example.com'), within('Reset 2FA')),
  of('/users', 'delete-user', press('Delete grace@example.com')),
  of('/configuration', 'version', press(/^Compare version/)),
  of(
    '/configuration',
    'restore',
    (page) =>
      page
        .getByRole('button', { name: /^Compare version/ })
        .nth(2)
        .click(),
    within('Restore this version'),
  ),
  of('/configuration', 'export', press('Export')),
  of('/configuration', 'import', press('Import')),
  of('/settings?tab=security', 'rotate', press('Rotate')),
  of(
    '/profile',
    'enable-2fa',
    (page) => page.getByRole('main').getByRole('button', { name: 'Enable 2FA' }).click(),
    (page) => expect(page.getByRole('img', { name: /QR code/ })).toBeVisible(),
  ),
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
