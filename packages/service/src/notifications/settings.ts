import type { Issue } from '@portcullis/contract/api';
import { NotificationSettings, type NotificationSettingsUpdate } from '@portcullis/contract/notifications';
import { applyPatch, overlay } from '@portcullis/contract/patch';
import { Email } from '@portcullis/contract/users';
import { z } from 'zod';
import { issuesOf } from '../http/index.ts';
import { invalid, type Outcome, success } from '../outcome.ts';
import { isMetadataHost } from '../outgoing/index.ts';

/** What is stored sealed, apart from the settings. */
export const ChannelSecrets = z.object({
  key: z.string().default(''),
  /** of Slack */
  webhookUrl: z.string().default(''),
  /** of the webhook of one's own */
  hookUrl: z.string().default(''),
  signingKey: z.string().default(''),
});
export type ChannelSecrets = z.infer<typeof ChannelSecrets>;

/** The settings without their secrets, and the secrets. */
export interface StoredSettings {
  readonly settings: NotificationSettings;
  readonly secrets: ChannelSecrets;
}

/** The settings as a channel needs them, secrets in place. Never leaves the service. */
export function withSecrets({ settings, secrets }: StoredSettings): NotificationSettings {
  return {
    ...settings,
    email: { ...settings.email, key: secrets.key },
    slack: { ...settings.slack, webhookUrl: secrets.webhookUrl },
    webhook: { ...settings.webhook, webhookUrl: secrets.hookUrl, signingKey: secrets.signingKey },
  };
}

/** The settings as the API shows them: of a secret only that there is one. */
export function presentSettings({ settings, secrets }: StoredSettings): NotificationSettings {
  return {
    ...settings,
    email: { ...settings.email, key: '', keySet: secrets.key !== '' },
    slack: { ...settings.slack, webhookUrl: '', webhookUrlSet: secrets.webhookUrl !== '' },
    webhook: {
      ...settings.webhook,
      ...{ webhookUrl: '', webhookUrlSet: secrets.hookUrl !== '' },
      ...{ signingKey: '', signingKeySet: secrets.signingKey !== '' },
    },
  };
}

/** An empty secret keeps the stored one, unless its flag says that there shall be none. */
function chosen(sent: string | undefined, set: boolean | undefined, stored: string): string {
  if (sent !== undefined && sent !== '') return sent;
  return set === false ? '' : stored;
}

/** The addresses of the field that takes one or several, separated by commas. */
export function recipientsOf(address: string): string[] {
  return address
    .split(/[,;]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function urlIssue(path: string, text: string): Issue[] {
  if (text === '') return [];
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    return [{ path, message: 'Enter an address that begins with https:// or http://' }];
  }
  if (url.username !== '' || url.password !== '') {
    return [{ path, message: 'Leave user name and password out of the address' }];
  }
  return isMetadataHost(url.hostname.replace(/^\[|\]$/g, '')) ? [{ path, message: forbidden }] : [];
}

/** Mail that names a key and no server goes by the provider's API, as clients that know only a key mean it. */
export const usesApi = ({ transport, smtpHost, key }: NotificationSettings['email']) =>
  transport === 'api' || (smtpHost === '' && key !== '');

/** Who gets to see the key when mail is sent. */
function readersOfKey(email: NotificationSettings['email']): string {
  if (usesApi(email)) return `api ${URL.canParse(email.apiUrl) ? new URL(email.apiUrl).host : ''}`;
  return `smtp ${email.smtpHost.toLowerCase()} ${email.smtpSecurity === 'none' ? 'and all on the way' : ''}`;
}

/**
 * Whether a change would have the stored key shown to somebody else. It is never sent to the browser, so who found an
 * open session could else read it by naming a server of their own.
 */
export function movesKey(stored: StoredSettings, patch: NotificationSettingsUpdate): boolean {
  const sent = patch.email?.key ?? '';
  if (stored.secrets.key === '' || sent !== '' || patch.email?.keySet === false) return false;
  const { email } = withSecrets(stored);
  const after = overlay(email, { ...patch.email, key: email.key }) as typeof email;
  return readersOfKey(email) !== readersOfKey(after);
}

/** Who sees a signed call can try keys against it for as long as they like. */
const shortestSigningKey = 16;

const forbidden = 'This address hands out credentials of the machine and is never called';

/** What the channels' formats get wrong; what is still empty may be filled in later. */
function channelIssues({ email, slack, webhook }: NotificationSettings): Issue[] {
  const recipients = recipientsOf(email.address);
  const wrong = recipients.find((recipient) => !Email.safeParse(recipient).success);
  const issues: Issue[] = wrong === undefined ? [] : [{ path: 'email.address', message: 'Email is invalid' }];
  if (email.senderEmail !== '' && !Email.safeParse(email.senderEmail).success) {
    issues.push({ path: 'email.senderEmail', message: 'Email is invalid' });
  }
  if (isMetadataHost(email.smtpHost)) issues.push({ path: 'email.smtpHost', message: forbidden });
  if (email.smtpHost !== '' && !/^[\w.:[\]-]+$/.test(email.smtpHost)) {
    issues.push({ path: 'email.smtpHost', message: 'Enter a host name or an address alone' });
  }
  if (webhook.signingKey !== '' && webhook.signingKey.length < shortestSigningKey) {
    const message = `Use ${shortestSigningKey} characters or more`;
    issues.push({ path: 'webhook.signingKey', message });
  }
  return [
    ...issues,
    ...urlIssue('email.apiUrl', email.apiUrl),
    ...urlIssue('slack.webhookUrl', slack.webhookUrl),
    ...urlIssue('webhook.webhookUrl', webhook.webhookUrl),
  ];
}

/** Lays a change over what is stored; what it leaves out keeps its value. */
export function changeSettings(
  stored: StoredSettings,
  patch: NotificationSettingsUpdate,
): Outcome<StoredSettings> {
  const parsed = applyPatch(NotificationSettings, withSecrets(stored), {
    ...patch,
    email: { ...patch.email, key: chosen(patch.email?.key, patch.email?.keySet, stored.secrets.key) },
    slack: {
      ...patch.slack,
      webhookUrl: chosen(patch.slack?.webhookUrl, patch.slack?.webhookUrlSet, stored.secrets.webhookUrl),
    },
    webhook: {
      ...patch.webhook,
      webhookUrl: chosen(patch.webhook?.webhookUrl, patch.webhook?.webhookUrlSet, stored.secrets.hookUrl),
      signingKey: chosen(patch.webhook?.signingKey, patch.webhook?.signingKeySet, stored.secrets.signingKey),
    },
  });
  if (!parsed.success) return invalid(issuesOf(parsed.error));
  const issues = channelIssues(parsed.data);
  if (movesKey(stored, patch)) {
    issues.push({ path: 'email.key', message: 'Enter the key again, for it would go to another server' });
  }
  if (issues.length > 0) return invalid(issues);
  const { keySet: _key, ...email } = parsed.data.email;
  const { webhookUrlSet: _url, ...slack } = parsed.data.slack;
  const { webhookUrlSet: _hook, signingKeySet: _signing, ...webhook } = parsed.data.webhook;
  return success({
    settings: {
      ...parsed.data,
      email: { ...email, key: '' },
      slack: { ...slack, webhookUrl: '' },
      webhook: { ...webhook, webhookUrl: '', signingKey: '' },
    },
    secrets: {
      ...{ key: email.key, webhookUrl: slack.webhookUrl },
      ...{ hookUrl: webhook.webhookUrl, signingKey: webhook.signingKey },
    },
  });
}
