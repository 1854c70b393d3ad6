import { endpoints } from '@portcullis/contract/api';
import type { NotificationTest } from '@portcullis/contract/notifications';
import type { FastifyInstance } from 'fastify';
import type { Configuration } from '../configuration/index.ts';
import { serve } from '../http/index.ts';
import { failure, success } from '../outcome.ts';
import type { Resolver } from '../outgoing/index.ts';
import type { Sealer } from '../sealing/index.ts';
import { readSettings, settingVersion } from '../settings/index.ts';
import type { Storage } from '../storage/index.ts';
import { notificationsChange } from './change.ts';
import { noticeOf } from './delivery.ts';
import { dispatch, missingOf } from './dispatch.ts';
import { type Channel, testMessage } from './messages.ts';
import { rowOf } from './outbox.ts';
import { presentOutcome } from './present.ts';
import { insertNotification, newestNotifications } from './repository.ts';
import { presentSettings, withSecrets } from './settings.ts';
import { readNotificationSettings } from './settings-repository.ts';

export interface NotificationRouteParts {
  readonly storage: Storage;
  readonly sealer: Sealer;
  readonly configuration: Configuration;
  readonly now: () => number;
  /** absent: the system's */
  readonly resolver?: Resolver | undefined;
  /** where the console is reached from outside, where that is known */
  readonly publicUrl?: string | undefined;
}

/** Channels, events and quiet hours; the outcome log; the test calls. */
export function notificationRoutes(app: FastifyInstance, parts: NotificationRouteParts): void {
  const { notifications } = endpoints;
  const { storage, sealer, configuration } = parts;

  serve(app, notifications.settings, async () => {
    const version = await settingVersion(storage.read, 'notifications');
    return success({ ...presentSettings(await readNotificationSettings(storage.read, sealer)), version });
  });

  serve(app, notifications.updateSettings, ({ actor, body, ip }) =>
    configuration.change({ email: actor.email, ip }, notificationsChange(sealer, body)),
  );

  serve(app, notifications.outcomes, async ({ query }) =>
    success((await newestNotifications(storage.read, query.limit)).map(presentOutcome)),
  );

  serve(app, notifications.test, async ({ body }) => sendTest(parts, body.type));
}

const testedBy: Readonly<Record<NotificationTest['type'], Channel>> = {
  attack: 'email',
  sitedown: 'slack',
  webhook: 'webhook',
};

/** Sends a test at once, quiet hours or not. */
async function sendTest(
  { storage, sealer, now, resolver, publicUrl }: NotificationRouteParts,
  type: NotificationTest['type'],
) {
  const channel = testedBy[type];
  const settings = withSecrets(await readNotificationSettings(storage.read, sealer));
  const missing = missingOf(settings, channel);
  if (missing !== undefined)
    return failure('conflict', { message: `${missing}. Complete and save it first` });
  const { systemName } = await readSettings(storage.read, 'general');
  const row = rowOf(testMessage(type), channel, now(), { status: 'retrying', nextAt: null });
  const attempt = await dispatch(settings, channel, noticeOf(row, { systemName, publicUrl }), { resolver });
  await insertNotification(storage.db, {
    ...row,
    status: attempt.sent ? 'sent' : 'failed',
    attempts: 1,
    error: attempt.sent ? null : attempt.reason,
  });
  if (attempt.sent) return success({ message: 'Test notification sent! Check your configured channels.' });
  return failure('delivery_failed', { message: `The message could not be delivered: ${attempt.reason}` });
}
