import { expect, type Page, test } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from '../product/accessible.ts';
import { admin, breakCall, enter, operator, type Staffed, startStaffed } from '../product/staff.ts';
import { startUpstream } from '../product/upstream.ts';

/** Takes messages as Slack's incoming webhooks do. @returns its address, what came, and how to stop it */
async function startWebhook() {
  const received: string[] = [];
  const { url, stop } = await startUpstream((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      received.push(body);
      response.end('ok');
    });
  });
  return { url: `${url}/services/secret-path`, received, stop };
}

test.describe
  .serial('Notification settings', () => {
    let staffed: Staffed;
    let page: Page;
    let webhook: Awaited<ReturnType<typeof startWebhook>>;
    const save = () => page.getByRole('button', { name: 'Save Notification Settings' });
    const saved = async () => {
      await save().click();
      await expect(page.getByText('Notification settings saved successfully').last()).toBeVisible();
    };

    test.beforeAll(async ({ browser }) => {
      webhook = await startWebhook();
      staffed = await startStaffed();
      page = await enter(browser, staffed.product, admin);
      await page.goto(`${staffed.product.console}/settings?tab=notifications`);
    });
    test.afterAll(async () => {
      await page.context().close();
      await staffed.stop();
      await webhook.stop();
    });

    test('starts from the defaults', async () => {
      for (const label of ['Attacks', 'Site down', 'High load', 'System alerts', 'Rule changes']) {
        await expect(page.getByLabel(label, { exact: true }), label).toBeChecked();
      }
      await expect(page.getByLabel('User changes', { exact: true })).not.toBeChecked();
      await expect(page.getByLabel('Attack threshold (per minute)')).toHaveValue('10');
      await expect(page.getByLabel('Load threshold (percent)')).toHaveValue('85');
      await expect(page.getByText('No messages sent yet')).toBeVisible();
      await expectAccessible(page);
    });

    test('shows fields only with what they belong to', async () => {
      await expect(page.getByLabel('Email address')).toHaveCount(0);
      await page.getByLabel('Enable email notifications').check();
      await expect(page.getByLabel('Email address')).toBeVisible();
      await expect(page.getByLabel('Sender email')).toBeVisible();
      await expect(page.getByLabel('Channel')).toHaveCount(0);
      await page.getByLabel('Webhook URL', { exact: true }).fill(webhook.url);
      await expect(page.getByLabel('Channel')).toHaveValue('#security-alerts');
      await expect(page.getByLabel('Bot name')).toBeVisible();
      await page.getByLabel('Attacks', { exact: true }).uncheck();
      await expect(page.getByLabel('Attack threshold (per minute)')).toHaveCount(0);
      await page.getByLabel('High load', { exact: true }).uncheck();
      await expect(page.getByLabel('Load threshold (percent)')).toHaveCount(0);
      await expect(page.getByRole('combobox', { name: 'Start', exact: true })).toHaveCount(0);
      await page.getByLabel('Enable quiet hours').check();
      await expect(page.getByRole('combobox', { name: 'Start', exact: true })).toHaveValue('10:00 PM');
      await expect(page.getByRole('combobox', { name: 'End', exact: true })).toHaveValue('8:00 AM');
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Reset' }).click();
    });

    test('keeps both thresholds within their bounds', async () => {
      for (const [label, wrong, words] of [
        ['Attack threshold (per minute)', '101', 'Enter a whole number from 1 to 100'],
        ['Load threshold (percent)', '49', 'Enter a whole number from 50 to 100'],
      ] as const) {
        await page.getByLabel(label).fill(wrong);
        await save().click();
        await expect(page.getByText(words), label).toBeVisible();
        await page.getByRole('button', { name: 'Reset' }).click();
      }
    });

    test('sends a test to Slack, keeps the webhook secret, and logs the outcome', async () => {
      await page.getByLabel('Enable Slack notifications').check();
      await page.getByLabel('Webhook URL', { exact: true }).fill(webhook.url);
      await page.getByLabel('Bot name').fill('Gatekeeper');
      await saved();
      await expect(page.getByLabel('Webhook URL', { exact: true })).toHaveValue('');
      await expect(page.getByPlaceholder('Stored. Leave blank to keep it')).toBeVisible();
      const asked = page.waitForRequest('**/api/notifications/test');
      await page.getByRole('button', { name: 'Test Slack' }).click();
      expect((await asked).postDataJSON()).toEqual({ type: 'sitedown' });
      await expect(page.getByText('Test notification sent! Check your configured channels.')).toBeVisible();
      expect(webhook.received.join()).toContain('Gatekeeper');
      const log = page.getByRole('table', { name: 'Delivery log' });
      await expect(log.getByRole('row').nth(1)).toContainText('Slack');
      await expect(log.getByRole('row').nth(1)).toContainText('Sent');
      await saved();
      await page.getByRole('button', { name: 'Test Slack' }).click();
      await expect.poll(() => webhook.received.length).toBe(2);
    });

    test('sends a signed test to a webhook, and keeps its address and key secret', async () => {
      await page.getByLabel('Enable webhook notifications').check();
      await page.getByLabel('Endpoint URL').fill('ftp://127.0.0.1');
      await save().click();
      await expect(page.getByText('Enter a webhook URL that starts with https:// or http://')).toBeVisible();
      await page.getByLabel('Endpoint URL').fill(webhook.url);
      await page.getByLabel('Signing key').fill('sixteen letters!');
      await saved();
      for (const label of ['Endpoint URL', 'Signing key']) {
        await expect(page.getByLabel(label), label).toHaveValue('');
        await expect(page.getByLabel(label), label).toHaveAttribute('placeholder', /Stored/);
      }
      const asked = page.waitForRequest('**/api/notifications/test');
      await page.getByRole('button', { name: 'Test Webhook' }).click();
      expect((await asked).postDataJSON()).toEqual({ type: 'webhook' });
      await expect.poll(() => webhook.received.at(-1)).toContain('"event":"test"');
      const log = page.getByRole('table', { name: 'Delivery log' });
      await expect(log.getByRole('row').nth(1)).toContainText('Webhook');
      await expectAccessible(page);
    });

    test('says why a test could not be sent', async () => {
      const asked = page.waitForRequest('**/api/notifications/test');
      await page.getByRole('button', { name: 'Test Email' }).click();
      expect((await asked).postDataJSON()).toEqual({ type: 'attack' });
      await expect(page.getByRole('alert').last()).toBeVisible();
      const mend = await breakCall(page, '/notifications/test');
      await page.getByRole('button', { name: 'Test Email' }).click();
      await expect(page.getByText('Failed to send test notification')).toBeVisible();
      await mend();
    });

    test('says when saving fails', async () => {
      const mend = await breakCall(page, '/notifications/settings');
      await page.getByLabel('User changes', { exact: true }).check();
      await save().click();
      await expect(page.getByText('Failed to save settings')).toBeVisible();
      await mend();
      await page.getByRole('button', { name: 'Reset' }).click();
    });

    test('fits a phone, and shows an operator no button to change or test', async ({ browser }) => {
      await page.setViewportSize({ width: 360, height: 780 });
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
      const looking = await enter(browser, staffed.product, operator);
      await looking.goto(`${staffed.product.console}/settings?tab=notifications`);
      await expect(looking.getByLabel('Enable quiet hours')).toBeDisabled();
      await expect(looking.getByRole('button', { name: /Save|Test/ })).toHaveCount(0);
      await looking.context().close();
    });
  });
