import { NotificationSettings } from '@portcullis/contract/notifications';
import type { Sealer } from '../sealing/index.ts';
import { readSetting, writeSetting } from '../settings/index.ts';
import type { Db, Trx } from '../storage/index.ts';
import { ChannelSecrets, type StoredSettings } from './settings.ts';

const settingsKey = 'notifications';
const secretsKey = 'notification_secrets';
const purpose = 'notification-secrets';

/** Reads the settings with defaults for what was never stored. Secrets sealed with a lost key read as empty. */
export async function readNotificationSettings(db: Db | Trx, sealer: Sealer): Promise<StoredSettings> {
  const text = await readSetting(db, settingsKey);
  const sealed = await readSetting(db, secretsKey);
  const opened = sealed === undefined ? undefined : sealer.open(sealed, purpose);
  return {
    settings: NotificationSettings.parse(text === undefined ? {} : JSON.parse(text)),
    secrets: ChannelSecrets.parse(opened === undefined ? {} : JSON.parse(opened)),
  };
}

/** Stores both; the database holds the secrets sealed alone. */
export async function writeNotificationSettings(
  trx: Trx,
  sealer: Sealer,
  { settings, secrets }: StoredSettings,
  now: number,
): Promise<void> {
  await writeSetting(trx, settingsKey, JSON.stringify(settings), now);
  await writeSetting(trx, secretsKey, sealer.seal(JSON.stringify(secrets), purpose), now);
}
