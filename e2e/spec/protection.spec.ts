import { expect, type Page, test } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from '../product/accessible.ts';
import { admin, arrive, breakCall, type Staffed, startStaffed, viewer } from '../product/staff.ts';
import { turn } from '../product/turn.ts';

/** What a custom rule may be, do and weigh. */
const vocabularies = {
  Type: [
    'Custom',
    'SQL injection',
    'Cross-site scripting',
    'Path traversal',
    'Command injection',
    'Cross-site request forgery',
    'Rate limit',
  ],
  Action: ['Block', 'Challenge', 'Log', 'Redirect', 'Allow'],
  Severity: ['Low', 'Medium', 'High', 'Critical'],
};

test.describe
  .serial('Protection', () => {
    let staffed: Staffed;
    let page: Page;
    const dialog = (name: string) => page.getByRole('dialog', { name });
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const choose = async () => {
      await page.getByRole('combobox', { name: 'Select a site' }).click();
      await page.getByRole('option', { name: /Shop/ }).click();
    };

    /** Nothing of a rule or ruleset can be changed, and the answer says nothing. */
    const refuse = () =>
      page.route('**/api/protection/rules/*', (route) =>
        ['PUT', 'DELETE'].includes(route.request().method())
          ? route.fulfill({ status: 500, json: { error: '', message: '' } })
          : route.continue(),
      );

    test.beforeAll(async ({ browser }) => {
      staffed = await startStaffed();
      page = await arrive(browser, staffed.product, admin, '/protection');
    });
    test.afterAll(async () => {
      await page.context().close();
      await staffed.stop();
    });

    test('says that there is no site, then to select one', async () => {
      await expect(page.getByTestId('header-title')).toHaveText('Protection Configuration');
      await expect(page.getByText('No sites found')).toBeVisible();
      await staffed.api.post('/sites', {
        name: 'Shop',
        domains: ['shop.example.com'],
        backend_url: 'http://127.0.0.1:9',
      });
      await page.reload();
      await expect(page.getByText('Select a site to configure protection settings')).toBeVisible();
      for (const card of ['Total Rules', 'Active Rules', 'Blocked Threats', 'Detection Rate']) {
        await expect(page.getByText(card, { exact: true })).toBeVisible();
      }
      await expect(
        page.getByText('Total Rules', { exact: true }).locator('..'),
        'of all sites while none is chosen',
      ).toContainText('0');
      await choose();
      await expect(page.getByText('Total Rules', { exact: true }).locator('..')).toContainText('0');
      for (const panel of ['Protection Rules', 'Security Level', 'Threat Analysis', 'Exceptions']) {
        await expect(page.getByRole('heading', { name: panel, exact: true })).toBeVisible();
      }
      await expect(page.getByText('monitoring', { exact: true })).toHaveCount(5);
    });

    test('asks for a template, and applies those that are chosen', async () => {
      await button('Add Rule').click();
      const modal = dialog('Add Protection Rule');
      await expect(modal.getByRole('tab')).toHaveText(['Template Rules', 'Custom Rule']);
      await modal.getByRole('button', { name: 'Apply Templates' }).click();
      await expect(page.getByText('Please select at least one template rule')).toBeVisible();
      await expect(modal.getByText('Recommended').first()).toBeVisible();
      await expectAccessible(page);
      await turn(modal.getByRole('checkbox').first(), true);
      await modal.getByRole('button', { name: 'Apply Templates' }).click();
      await expect(page.getByText('Template rules applied successfully')).toBeVisible();
    });

    test('builds a rule out of conditions, each word of the vocabulary offered', async () => {
      await button('Add Rule').click();
      const modal = dialog('Add Protection Rule');
      await modal.getByRole('tab', { name: 'Custom Rule' }).click();
      await modal.getByRole('button', { name: 'Create Rule' }).click();
      await expect(modal.getByText('Rule name is required')).toBeVisible();
      await expect(modal.getByLabel('Field of condition 1').locator('option')).toHaveText([
        'Path',
        'Method',
        'Header',
        'Query',
        'Body',
        'IP address',
        'User agent',
      ]);
      await expect(modal.getByLabel('Operator of condition 1').locator('option')).toHaveText([
        'equals',
        'contains',
        'starts with',
        'ends with',
        'matches regex',
        'does not equal',
      ]);
      await expect(modal.getByLabel('Match').locator('option')).toHaveText([
        'Match all of these (AND)',
        'Match any of these (OR)',
      ]);
      for (const [field, words] of Object.entries(vocabularies)) {
        await modal.getByRole('combobox', { name: field, exact: true }).click();
        await expect(page.getByRole('option').filter({ visible: true }), field).toHaveText(words);
        await page.keyboard.press('Escape');
      }
      await modal.getByLabel('Rule name').fill('Admin <b>only</b>');
      await modal.getByLabel('Operator of condition 1').selectOption('matches regex');
      await modal.getByLabel('Value of condition 1').fill('(unclosed');
      await modal.getByRole('button', { name: 'Create Rule' }).click();
      await expect(page.getByRole('alert').last()).not.toBeEmpty();
      await modal.getByLabel('Value of condition 1').fill('^/admin');
      await modal.getByRole('button', { name: 'Add condition' }).click();
      await modal.getByLabel('Field of condition 2').selectOption('User agent');
      await modal.getByLabel('Value of condition 2').fill('curl');
      await modal.getByRole('button', { name: 'Add condition' }).click();
      await modal.getByLabel('Field of condition 3').selectOption('Header');
      await expect(modal.getByText('With a name, only what was sent under it counts')).toBeVisible();
      await modal.getByLabel('Name in condition 3').fill('X Api Key');
      await modal.getByLabel('Operator of condition 3').selectOption('does not equal');
      await modal.getByLabel('Value of condition 3').fill('secret');
      await modal.getByRole('button', { name: 'Create Rule' }).click();
      await expect(modal.getByText('Use a header name such as X-Api-Key')).toBeVisible();
      await modal.getByLabel('Name in condition 3').fill(' X-Api-Key ');
      await expectAccessible(page);
      for (const width of [720, 360]) {
        await page.setViewportSize({ width, height: 760 });
        await expectNoSidewaysScroll(page);
      }
      await page.setViewportSize({ width: 1440, height: 900 });
      await modal.getByRole('button', { name: 'Create Rule' }).click();
      await expect(page.getByText('Rule created successfully')).toBeVisible();
      await expect(page.getByText('Admin <b>only</b>')).toBeVisible();
    });

    test('tries a request on the rules, without sending it', async () => {
      await page.getByRole('link', { name: 'Test a Request' }).click();
      const request = page.getByLabel('HTTP request', { exact: true });
      await button('Test Request').click();
      await expect(page.getByText('Paste a request')).toBeVisible();
      await request.fill('GET /admin HTTP/1.1\nHost shop');
      await button('Test Request').click();
      await expect(page.getByText('Line 2 is not a header such as Host: shop.example.com')).toBeVisible();
      await request.fill('GET /admin HTTP/1.1\nHost: shop.example.com\nUser-Agent: curl/8');
      await button('Test Request').click();
      const result = page.getByRole('region', { name: 'Result' });
      await expect(result.getByText('Block', { exact: true })).toBeVisible();
      await expect(result).toContainText('Admin <b>only</b>');
      await request.fill("/items?id=1'+UNION+SELECT+password+FROM+users--");
      await button('Test Request').click();
      await expect(result.getByRole('row', { name: /query:id/ }).first()).toBeVisible();
      await expect(result.locator('mark').first()).toContainText(/UNION|SELECT/);
      await expectAccessible(page);
      await request.fill('/items?id=7');
      await button('Test Request').click();
      await expect(result).toContainText('Passed: nothing in it is held against it');
      await page.goBack();
    });

    test('turns a rule off and on, and says when it could not', async () => {
      const toggle = page.getByRole('switch', { name: 'Rule Admin <b>only</b> active' });
      await turn(toggle, false);
      await expect(page.getByText('Rule status updated')).toBeVisible();
      await refuse();
      await toggle.press('Space');
      await expect(page.getByText('Failed to update rule status')).toBeVisible();
      await page.unrouteAll();
    });

    test('edits a rule, and says when it could not be saved', async () => {
      await page.getByRole('button', { name: 'Edit rule Admin <b>only</b>' }).click();
      const modal = dialog('Edit Protection Rule');
      await modal.getByLabel('Description').fill('Nobody from outside');
      await refuse();
      await modal.getByRole('button', { name: 'Update Rule' }).click();
      await expect(page.getByText('Failed to save rule')).toBeVisible();
      await page.unrouteAll();
      await modal.getByRole('button', { name: 'Update Rule' }).click();
      await expect(page.getByText('Rule updated successfully')).toBeVisible();
      await expect(modal).toHaveCount(0);
      const rules = page.getByRole('region', { name: 'Custom rules' });
      await expect(rules.getByText('Nobody from outside')).toBeVisible();
    });

    test('lets a partner pass, and tells of it only where that is asked for', async () => {
      await button('Add Rule').click();
      const modal = dialog('Add Protection Rule');
      await modal.getByRole('tab', { name: 'Custom Rule' }).click();
      await modal.getByLabel('Rule name').fill('Partner');
      await modal.getByLabel('Field of condition 1').selectOption('Header');
      await modal.getByLabel('Name in condition 1').fill('X-Partner');
      await modal.getByLabel('Operator of condition 1').selectOption('equals');
      await modal.getByLabel('Value of condition 1').fill('ada');
      await modal.getByRole('combobox', { name: 'Action', exact: true }).click();
      await page.getByRole('option', { name: 'Allow' }).click();
      await expect(modal.getByText('Lets a request pass the rules after this one')).toBeVisible();
      await expect(modal.getByRole('switch', { name: 'Log what it lets pass' })).toBeChecked();
      await expectAccessible(page);
      await turn(modal.getByRole('switch', { name: 'Log what it lets pass' }), false);
      await modal.getByRole('button', { name: 'Create Rule' }).click();
      await expect(page.getByText('Rule created successfully')).toBeVisible();
      await page.getByRole('button', { name: 'Edit rule Partner' }).click();
      const edited = dialog('Edit Protection Rule');
      await expect(edited.getByLabel('Name in condition 1')).toHaveValue('X-Partner');
      await expect(edited.getByRole('switch', { name: 'Log what it lets pass' })).not.toBeChecked();
      await page.keyboard.press('Escape');
      await page.getByRole('link', { name: 'Test a Request' }).click();
      await page
        .getByLabel('HTTP request', { exact: true })
        .fill("GET /?id=1'+UNION+SELECT+a+FROM+b-- HTTP/1.1\nHost: shop.example.com\nX-Partner: ada");
      await button('Test Request').click();
      const result = page.getByRole('region', { name: 'Result' });
      await expect(result.getByText('Allow', { exact: true })).toBeVisible();
      await expect(result.getByText('Allowed: Partner in header x-partner')).toBeVisible();
      await page.goBack();
    });

    test('edits a ruleset: its rules are removed here and gone on Update', async () => {
      await page
        .getByRole('button', { name: /^Edit ruleset/ })
        .first()
        .click();
      const modal = dialog('Edit Rule Set');
      await refuse();
      await modal.getByRole('button', { name: 'Update Rule Set' }).click();
      await expect(page.getByText('Failed to update rule set')).toBeVisible();
      await page.unrouteAll();
      await modal
        .getByRole('button', { name: /^Remove rule/ })
        .first()
        .click();
      const question = dialog('Remove rule');
      await expect(question).toContainText('Are you sure you want to remove this rule from the ruleset?');
      await expectAccessible(page);
      await question.getByRole('button', { name: 'Remove' }).click();
      await expect(modal.getByText('This ruleset has no rules left')).toBeVisible();
      await modal.getByRole('button', { name: 'Update Rule Set' }).click();
      await expect(page.getByText('Rule set updated successfully')).toBeVisible();
      const remove = page.getByRole('button', { name: /^Delete ruleset/ }).first();
      await remove.click();
      await refuse();
      await button('Delete ruleset').last().click();
      await expect(page.getByText('Failed to delete ruleset')).toBeVisible();
      await page.unrouteAll();
      await remove.click();
      await expect(page.getByRole('dialog', { name: /^Delete ruleset/ })).toContainText('cannot be undone');
      await button('Delete ruleset').last().click();
      await expect(page.getByText('Ruleset deleted successfully')).toBeVisible();
    });

    test('sets the security level, one of five', async () => {
      for (const level of ['off', 'low', 'medium', 'high', 'under attack']) {
        await expect(page.getByRole('button', { name: new RegExp(`^${level}`) })).toBeVisible();
      }
      await page.getByRole('button', { name: /^under attack/ }).click();
      await expect(page.getByText('Security level updated')).toBeVisible();
      await expect(page.getByRole('button', { name: /^under attack/ })).toHaveAttribute(
        'aria-pressed',
        'true',
      );
      const release = Promise.withResolvers<void>();
      await page.route('**/security-level', async (route) => {
        await release.promise;
        await route.fulfill({ status: 500, body: '{}' });
      });
      const pressed = page.locator('button[aria-pressed=true]');
      await page.getByRole('button', { name: /^low/ }).click();
      await expect(pressed, 'the choice shows before the answer').toHaveAccessibleName(/^low/);
      release.resolve();
      await expect(page.getByText('Failed to update security level')).toBeVisible();
      await expect(pressed, 'and goes back when it is refused').toHaveAccessibleName(/^under attack/);
      await page.unrouteAll();
    });

    test('adds an exception, changes it and takes it back', async () => {
      await button('Add Exception').first().click();
      const modal = dialog('Add Exception');
      await modal.getByLabel('Path').fill('search');
      await modal.getByRole('button', { name: 'Add Exception' }).click();
      await expect(modal.getByText('The path starts with /')).toBeVisible();
      await modal.getByLabel('Path').fill('/search*');
      await modal.getByRole('combobox', { name: 'Until' }).click();
      await page.getByRole('option', { name: 'In a day' }).click();
      await expectAccessible(page);
      await modal.getByRole('button', { name: 'Add Exception' }).click();
      await expect(page.getByText('Exception saved')).toBeVisible();
      const row = page.getByRole('row', { name: /SQL injection/ });
      await expect(row).toContainText('/search*');
      await page.getByRole('button', { name: /^Edit exception/ }).click();
      await dialog('Edit Exception').getByLabel('Note').fill('The search box');
      await dialog('Edit Exception').getByRole('button', { name: 'Update Exception' }).click();
      await expect(row).toContainText('The search box');
      await page.getByRole('button', { name: /^Remove exception/ }).click();
      await button('Remove exception').last().click();
      await expect(page.getByText('No exceptions')).toBeVisible();
    });

    test('applies templates to several sites, and tells what became of each', async () => {
      const [blog, wiki] = await Promise.all(
        ['blog', 'wiki'].map(async (name) => {
          const site = { name, domains: [`${name}.example.com`], backend_url: 'http://127.0.0.1:9' };
          return ((await staffed.api.post('/sites', site)) as { id: string }).id;
        }),
      );
      const templates = (await staffed.api.get('/protection/templates')) as { id: string }[];
      await staffed.api.post('/protection/templates/apply', { siteId: blog, ruleIds: [templates[0]?.id] });
      await page.reload();
      await button('Add Rule').click();
      const modal = dialog('Add Protection Rule');
      for (const name of ['blog', 'wiki']) {
        await modal.getByRole('combobox', { name: 'Sites' }).fill(name);
        await page.getByRole('option', { name: `${name}.example.com` }).click();
      }
      await modal.getByRole('tab', { name: 'Template Rules' }).focus();
      await expect(modal.getByText('Applied on 1 of 3')).toBeVisible();
      await turn(modal.getByRole('checkbox').first(), true);
      await expectAccessible(page);
      await page.route('**/protection/templates/apply', (route) =>
        route.request().postData()?.includes(String(wiki))
          ? route.fulfill({ status: 503, json: { error: 'The disk is full', message: 'The disk is full' } })
          : route.continue(),
      );
      await modal.getByRole('button', { name: 'Apply Templates' }).click();
      await expect(page.getByText('Failed on 1 of 3 sites')).toBeVisible();
      const outcomes = modal.getByRole('list', { name: 'What became of it on each site' });
      const outcome = (name: string) => outcomes.getByRole('listitem').filter({ hasText: name });
      await expect(outcome('shop.example.com')).toContainText('1 rule added');
      await expect(outcome('blog.example.com')).toContainText('Had all of them');
      await expect(outcome('wiki.example.com')).toContainText('The disk is full');
      await expectAccessible(page);
      await page.unrouteAll();
      await modal.getByRole('button', { name: 'Try Again' }).click();
      await expect(outcomes.getByRole('listitem')).toHaveCount(1);
      await expect(outcome('wiki.example.com')).toContainText('1 rule added');
      await modal.getByRole('button', { name: 'Done' }).click();
      await expect(modal).toHaveCount(0);
      await expect(page.getByRole('region', { name: /^Templates of/ })).toBeVisible();
    });

    test('keeps each panel to its own failure', async () => {
      await page.route('**/api/metrics?type=threats*', (route) => route.fulfill({ status: 500, body: '{}' }));
      await page.reload();
      await expect(page.getByText('Threat analysis is unavailable')).toBeVisible();
      await expect(page.getByRole('heading', { name: 'Protection Rules' })).toBeVisible();
      await page.unrouteAll();
      await breakCall(page, '/sites');
      await page.reload();
      await expect(
        page.getByText('Failed to load protection data. Please try refreshing the page.').first(),
      ).toBeVisible();
      await page.unrouteAll();
    });

    test('lets a viewer look: levels disabled, nothing to change', async ({ browser }) => {
      const his = await arrive(browser, staffed.product, viewer, '/protection');
      await his.getByRole('combobox', { name: 'Select a site' }).click();
      await his.getByRole('option', { name: /Shop/ }).click();
      await expect(his.getByText('Changing it needs the permission rule:update')).toBeVisible();
      await expect(his.getByRole('button', { name: /^low/ })).toBeDisabled();
      for (const name of ['Add Rule', 'Add Exception']) {
        await expect(his.getByRole('button', { name, exact: true })).toHaveCount(0);
      }
      await expect(his.getByRole('button', { name: /^(Edit|Delete) ruleset/ })).toHaveCount(0);
      await his.context().close();
    });
  });
