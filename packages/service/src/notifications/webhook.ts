import { createHmac } from 'node:crypto';
import type { NotificationSettings } from '@portcullis/contract/notifications';
import type { Post } from '../outgoing/index.ts';
import type { Notice } from './channel.ts';

/** Of the body. Fields are added without a new one; it rises where one goes or means something else. */
const bodyVersion = 1;

/** The header that a receiver knows us by. */
const signatureHeader = 'portcullis-signature';

/**
 * Signs the time with the body, so that a call that somebody kept cannot be sent again later.
 * @param now Unix milliseconds
 * @returns `t=<Unix seconds>,v1=<hex>` of HMAC-SHA256 over `<t>.<body>`
 */
export function signatureOf(signingKey: string, body: string, now: number): string {
  const seconds = Math.floor(now / 1000);
  const hex = createHmac('sha256', signingKey).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${hex}`;
}

/** The call that posts a message to the operator's own receiver. @param now of this attempt, Unix milliseconds */
export function webhookCall(webhook: NotificationSettings['webhook'], notice: Notice, now: number): Post {
  const body = JSON.stringify({
    version: bodyVersion,
    id: notice.id,
    event: notice.event,
    level: notice.level,
    time: new Date(notice.time).toISOString(),
    system: notice.systemName,
    title: notice.title,
    text: [notice.title, ...notice.lines, ...(notice.link === undefined ? [] : [notice.link])].join('\n'),
    site: notice.site ?? null,
    link: notice.link ?? null,
  });
  return {
    url: webhook.webhookUrl,
    headers: {
      'content-type': 'application/json',
      ...(webhook.signingKey !== '' && { [signatureHeader]: signatureOf(webhook.signingKey, body, now) }),
    },
    body,
  };
}
