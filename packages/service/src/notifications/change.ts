import { inWords } from '@portcullis/contract/configuration';
import type { NotificationSettingsUpdate, ServerMessage } from '@portcullis/contract/notifications';
import type { z } from 'zod';
import type { ConfigurationWork } from '../configuration/index.ts';
import { success } from '../outcome.ts';
import type { Sealer } from '../sealing/index.ts';
import { changedFields, settingsNames, settingsVersions } from '../settings/index.ts';
import { changeSettings, presentSettings, type StoredSettings } from './settings.ts';
import { readNotificationSettings, writeNotificationSettings } from './settings-repository.ts';

/** What a save touched, in words that hold no secret; empty where nothing differs. */
function touched(before: StoredSettings, after: StoredSettings): string {
  const parts = [inWords(changedFields(before.settings, after.settings))].filter(Boolean);
  if (before.secrets.key !== after.secrets.key) parts.push('the email key');
  if (before.secrets.webhookUrl !== after.secrets.webhookUrl) parts.push('the Slack webhook');
  if (before.secrets.hookUrl !== after.secrets.hookUrl) parts.push('the address of the webhook');
  if (before.secrets.signingKey !== after.secrets.signingKey) parts.push('the signing key of the webhook');
  return parts.join(', ');
}

/** Lays a change over the notification settings. The history keeps of a secret only that there is one. */
export function notificationsChange(
  sealer: Sealer,
  patch: NotificationSettingsUpdate,
): ConfigurationWork<z.input<typeof ServerMessage>> {
  return async (trx, now) => {
    const versions = await settingsVersions(trx, 'notifications', patch.version, now);
    if (!versions.ok) return versions;
    const stored = await readNotificationSettings(trx, sealer);
    const changed = changeSettings(stored, patch);
    if (!changed.ok) return changed;
    await writeNotificationSettings(trx, sealer, changed.value, versions.next);
    const what = touched(stored, changed.value);
    const before = presentSettings(stored);
    const after = { ...presentSettings(changed.value), version: versions.next };
    return success({
      value: { message: 'Notification settings saved successfully' },
      action: 'settings.notifications',
      reason: `${settingsNames.notifications} were saved: ${what}`,
      same: what === '',
      changes: [{ kind: 'settings', id: 'notifications', name: settingsNames.notifications, before, after }],
    });
  };
}
