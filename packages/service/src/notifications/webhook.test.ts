import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startService, type TestService } from '../testing/index.ts';
import { type HttpReceiver, httpReceiver, noticeFor } from './testing/index.ts';
import { signatureOf, webhookCall } from './webhook.ts';

const signingKey = 'sixteen letters!';

describe('the call of a webhook', () => {
  const notice = {
    ...noticeFor({ subject: '[Gate] Site Shop is down', text: 'Nobody answers.' }),
    ...{ event: 'site_down', level: 'critical', time: Date.parse('2026-01-15T12:00:00Z') },
    ...{ title: 'Site Shop is down', site: { id: 'site_1', name: 'Shop' } },
  };
  const to = { enabled: true, webhookUrl: 'https://alerts.example.com/in', signingKey: '' };

  it('holds all that is known of a message, as the guide says', () => {
    const link = 'https://console.example.com/sites?site=site_1';
    const { body, headers, url } = webhookCall(to, { ...notice, link }, 0);
    expect({ url, headers }).toEqual({
      url: to.webhookUrl,
      headers: { 'content-type': 'application/json' },
    });
    expect(JSON.parse(body)).toEqual({
      version: 1,
      id: 'ntf_1',
      event: 'site_down',
      level: 'critical',
      time: '2026-01-15T12:00:00.000Z',
      system: 'Gate',
      title: 'Site Shop is down',
      text: `Site Shop is down\nNobody answers.\n${link}`,
      site: { id: 'site_1', name: 'Shop' },
      link,
    });
    const { site: _site, ...general } = notice;
    expect(JSON.parse(webhookCall(to, general, 0).body)).toMatchObject({ site: null, link: null });
  });

  it('is signed with its time, each attempt anew, where there is a key', () => {
    const signed = webhookCall({ ...to, signingKey }, notice, 1_768_478_400_999);
    const hex = createHmac('sha256', signingKey).update(`1768478400.${signed.body}`).digest('hex');
    expect(signed.headers['portcullis-signature']).toBe(`t=1768478400,v1=${hex}`);
    expect(signatureOf(signingKey, signed.body, 1_768_478_401_000)).not.toContain(hex);
  });
});

describe('a webhook', () => {
  let service: TestService;
  let token: string;
  let hook: HttpReceiver;
  const call = (method: string, url: string, body?: unknown) =>
    service.call(method, `/api/notifications/${url}`, body, token);

  beforeEach(async () => {
    service = await startService({ publicUrl: 'https://console.example.com' });
    token = await service.signIn();
    hook = await httpReceiver();
  });
  afterEach(async () => {
    await service.stop();
    await hook.stop();
  });

  it('is tried by its test call, signed, and logs what came of it without what the receiver said', async () => {
    expect(await call('POST', 'test', { type: 'webhook' })).toMatchObject({ status: 409 });
    const webhook = { enabled: true, webhookUrl: `${hook.url}/very-secret`, signingKey };
    expect((await call('PUT', 'settings', { webhook })).status).toBe(200);
    expect((await call('POST', 'test', { type: 'webhook' })).status).toBe(200);
    expect(hook.received[0]).toMatchObject({
      url: '/very-secret',
      body: { version: 1, event: 'test', link: 'https://console.example.com/settings?tab=notifications' },
    });
    const [, seconds] = /^t=(\d+),v1=[0-9a-f]{64}$/.exec(
      String(hook.received[0]?.headers['portcullis-signature']),
    ) ?? [undefined, ''];
    expect(Math.abs(Date.now() / 1000 - Number(seconds))).toBeLessThan(60);
    hook.answer = { status: 403, body: 'inside_word' };
    const refused = await call('POST', 'test', { type: 'webhook' });
    expect([refused.status, refused.body.message]).toEqual([
      502,
      'The message could not be delivered: The receiver answered 403',
    ]);
    expect((await call('GET', 'outcomes?limit=2')).body).toMatchObject([
      { channel: 'webhook', status: 'failed', error: 'The receiver answered 403' },
      { channel: 'webhook', status: 'sent' },
    ]);
  });

  it('keeps address and key sealed, and each by an empty field until its flag says that there is none', async () => {
    const webhook = { enabled: true, webhookUrl: `${hook.url}/very-secret`, signingKey };
    await call('PUT', 'settings', { webhook });
    const read = (await call('GET', 'settings')).body;
    expect(read.webhook).toEqual({
      ...{ enabled: true, webhookUrl: '', webhookUrlSet: true },
      ...{ signingKey: '', signingKeySet: true },
    });
    await call('PUT', 'settings', read);
    await call('PUT', 'settings', { webhook: { signingKeySet: false } });
    expect((await call('GET', 'settings')).body.webhook).toMatchObject({
      webhookUrlSet: true,
      signingKeySet: false,
    });
    await call('POST', 'test', { type: 'webhook' });
    expect(hook.received.at(-1)?.headers).not.toHaveProperty('portcullis-signature');
  });

  it.each([
    [{ webhookUrl: 'http://169.254.169.254/latest' }, 'webhook.webhookUrl'],
    [{ webhookUrl: 'ftp://alerts.example.com/' }, 'webhook.webhookUrl'],
    [{ signingKey: 'too short' }, 'webhook.signingKey'],
  ])('refuses %j', async (webhook, path) => {
    const { status, body } = await call('PUT', 'settings', { webhook });
    expect([status, body.issues?.[0]?.path]).toEqual([422, path]);
  });
});
