import type { NotificationSettings } from '@portcullis/contract/notifications';
import type { Letter } from './channel.ts';

/**
 * Without this a request's path could mention a whole channel or show a link of the attacker's choice.
 * @see https://api.slack.com/reference/surfaces/formatting#escaping
 */
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The call that posts a message by an incoming webhook. */
export function slackCall(slack: NotificationSettings['slack'], { subject, text }: Letter) {
  const body = {
    text: `*${escaped(subject)}*\n${escaped(text)}`,
    mrkdwn: true,
    ...(slack.channel !== '' && { channel: slack.channel }),
    ...(slack.username !== '' && { username: slack.username }),
  };
  return {
    url: slack.webhookUrl,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}
