import type { ConfigurationDocument } from '@portcullis/contract/configuration';
import { readNotificationSettings } from '../notifications/index.ts';
import type { Sealer } from '../sealing/index.ts';
import type { Db } from '../storage/index.ts';
import type { StoredConfiguration } from '../stored-configuration.ts';
import { composeDocument } from './compose.ts';
import { sealSecrets } from './passphrase.ts';
import { writeBeside } from './yaml-thread.ts';

export interface ExportParts extends StoredConfiguration {
  readonly sealer: Sealer;
  readonly now: () => number;
}

const head = (made: string, sealed: boolean) =>
  [
    `The configuration of Portcullis, exported ${made}.`,
    sealed
      ? 'Secrets are sealed with a passphrase.'
      : 'Without secrets: keys, passwords and webhooks of the channels.',
    'Certificates stand by reference; their private keys are not in here.',
    'Compare it with what is in force: portcullis diff FILE. Apply it: portcullis import FILE --apply',
  ].join('\n');

/** The whole configuration as the text of a file. @param passphrase seals the channels' secrets into it */
export async function exportText(parts: ExportParts, db: Db, passphrase?: string): Promise<string> {
  const document = await composeDocument(parts, parts.sealer, db, parts.now());
  const made = new Date(parts.now()).toISOString();
  if (passphrase === undefined) return writeBeside(document, head(made, false));
  const { secrets } = await readNotificationSettings(db, parts.sealer);
  const plain = { emailKey: secrets.key, slackWebhookUrl: secrets.webhookUrl };
  const sealed: ConfigurationDocument = { ...document, secrets: await sealSecrets(plain, passphrase) };
  return writeBeside(sealed, head(made, true));
}
