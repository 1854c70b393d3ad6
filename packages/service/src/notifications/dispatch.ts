import type { NotificationSettings } from '@portcullis/contract/notifications';
import { type PostResult, post, type Reach } from '../outgoing/index.ts';
import type { Attempt, Notice } from './channel.ts';
import { sendMail } from './mail.ts';
import { expectedKey, providerCall } from './mail-providers.ts';
import { maskSecrets } from './mask.ts';
import type { Channel } from './messages.ts';
import { recipientsOf, usesApi } from './settings.ts';
import { slackCall } from './slack.ts';
import { webhookCall } from './webhook.ts';

function missingKey(email: NotificationSettings['email']): string | undefined {
  if (email.key === '') return "Email has no key for the provider's API";
  const expected = expectedKey(email);
  return expected === undefined ? undefined : `The key of this provider is written as ${expected}`;
}

/** @returns in words what a channel lacks to send anything; undefined where it is complete */
export function missingOf(settings: NotificationSettings, channel: Channel): string | undefined {
  const { email, slack, webhook } = settings;
  if (channel === 'webhook') return webhook.webhookUrl === '' ? 'The webhook has no address' : undefined;
  if (channel === 'slack') return slack.webhookUrl === '' ? 'Slack has no webhook address' : undefined;
  if (recipientsOf(email.address).length === 0) return 'Email has no recipient';
  if (email.senderEmail === '') return 'Email has no sender address';
  if (usesApi(email)) return missingKey(email);
  return email.smtpHost === '' ? 'Email has no mail server' : undefined;
}

/** Codes such as `no_service` are Slack's own; anything else of an answer could be a page from somewhere inside. */
const codeOf = (body: string) => (/^[a-z_]{1,40}$/.test(body.trim()) ? `: ${body.trim()}` : '');

function attemptOf(result: PostResult): Attempt {
  if (!result.answered) return { sent: false, reason: result.reason, mayPass: result.mayPass };
  const { status, retryAfterSeconds } = result;
  if (status >= 200 && status < 300) return { sent: true };
  const mayPass = status >= 500 || status === 429 || status === 408;
  const reason = `The receiver answered ${status}${codeOf(result.body)}`;
  return { sent: false, reason, mayPass, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
}

const secretsOf = ({ email, slack, webhook }: NotificationSettings) => [
  email.key,
  slack.webhookUrl,
  webhook.webhookUrl,
  webhook.signingKey,
];

/** What went wrong, without the secrets that a library may quote. */
function redacted(attempt: Attempt, settings: NotificationSettings): Attempt {
  if (attempt.sent) return attempt;
  const reason = maskSecrets(attempt.reason, secretsOf(settings));
  return { ...attempt, reason: reason.slice(0, 300) };
}

/** Makes one attempt to send a message. @param settings with their secrets. Never throws for what a receiver does. */
export async function dispatch(
  settings: NotificationSettings,
  channel: Channel,
  notice: Notice,
  reach: Reach = {},
): Promise<Attempt> {
  const missing = missingOf(settings, channel);
  if (missing !== undefined) return { sent: false, reason: missing, mayPass: false };
  if (channel === 'slack') {
    return redacted(attemptOf(await post(slackCall(settings.slack, notice), reach)), settings);
  }
  if (channel === 'webhook') {
    const result = await post(webhookCall(settings.webhook, notice, Date.now()), reach);
    // Whatever a server of somebody else's says is not kept.
    return redacted(attemptOf(result.answered ? { ...result, body: '' } : result), settings);
  }
  const attempt = usesApi(settings.email)
    ? attemptOf(await post(providerCall(settings.email, notice, Date.now()), reach))
    : await sendMail(settings.email, notice, reach);
  return redacted(attempt, settings);
}
