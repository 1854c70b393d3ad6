import { isDeepStrictEqual } from 'node:util';
import type { Issue } from '@portcullis/contract/api';
import type { ConfigurationDocument, DocumentSecrets } from '@portcullis/contract/configuration';
import type { NotificationSettingsUpdate } from '@portcullis/contract/notifications';
import type { EntityState } from '../configuration/index.ts';
import { changeSettings, readNotificationSettings } from '../notifications/index.ts';
import type { Sealer } from '../sealing/index.ts';
import { readSettings, settingsNames } from '../settings/index.ts';
import type { Trx } from '../storage/index.ts';

/** The change of the notification settings that a file asks for; secrets that it does not bring stay. */
function notificationChange(
  document: ConfigurationDocument,
  secrets: DocumentSecrets | undefined,
): NotificationSettingsUpdate | undefined {
  const wanted = document.settings?.notifications;
  if (!wanted && !secrets) return undefined;
  const email = { ...wanted?.email, ...(secrets && secretField('key', 'keySet', secrets.emailKey)) };
  const slack = {
    ...wanted?.slack,
    ...(secrets && secretField('webhookUrl', 'webhookUrlSet', secrets.slackWebhookUrl)),
  };
  const { webhookUrl, webhookSigningKey } = secrets ?? {};
  const webhook = {
    ...wanted?.webhook,
    ...(webhookUrl !== undefined && secretField('webhookUrl', 'webhookUrlSet', webhookUrl)),
    ...(webhookSigningKey !== undefined && secretField('signingKey', 'signingKeySet', webhookSigningKey)),
  };
  return { ...wanted, email, slack, webhook };
}

/** An empty secret in a file means that there was none. */
const secretField = (name: string, flag: string, value: string) => ({ [name]: value, [flag]: value !== '' });

/** What of the settings a file changes, or why it cannot. */
export async function settingsStates(
  trx: Trx,
  sealer: Sealer,
  document: ConfigurationDocument,
  secrets: DocumentSecrets | undefined,
): Promise<{ readonly states: readonly EntityState[]; readonly issues: readonly Issue[] }> {
  const states: EntityState[] = [];
  const stateOf = (id: keyof typeof settingsNames, state: unknown) =>
    states.push({ kind: 'settings', id, name: settingsNames[id], state });
  for (const key of ['general', 'security'] as const) {
    const wanted = document.settings?.[key];
    if (wanted && !isDeepStrictEqual(wanted, await readSettings(trx, key))) stateOf(key, wanted);
  }
  const change = notificationChange(document, secrets);
  if (!change) return { states, issues: [] };
  const stored = await readNotificationSettings(trx, sealer);
  const changed = changeSettings(stored, change);
  if (!changed.ok) {
    const issues = (changed.issues ?? []).map((issue) => ({
      ...issue,
      path: `settings.notifications.${issue.path}`,
    }));
    return { states, issues };
  }
  if (!isDeepStrictEqual(changed.value, stored)) stateOf('notifications', change);
  return { states, issues: [] };
}
