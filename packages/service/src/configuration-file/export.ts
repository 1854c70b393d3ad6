import type { ConfigurationDocument } from '@portcullis/contract/configuration';
import type { AuditLog } from '../audit/index.ts';
import type { Author } from '../configuration/index.ts';
import { readNotificationSettings } from '../notifications/index.ts';
import type { Sealer } from '../sealing/index.ts';
import type { Storage } from '../storage/index.ts';
import type { StoredConfiguration } from '../stored-configuration.ts';
import { composeDocument } from './compose.ts';
import { sealSecrets } from './passphrase.ts';
import { writeBeside } from './yaml-thread.ts';

export interface ExportParts extends StoredConfiguration {
  readonly storage: Storage;
  readonly audit: AuditLog;
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

async function textOf(parts: ExportParts, passphrase: string | undefined): Promise<Uint8Array> {
  const { storage, sealer, now } = parts;
  const document = await composeDocument(parts, sealer, storage.read, now());
  const made = new Date(now()).toISOString();
  if (passphrase === undefined) return writeBeside(document, head(made, false));
  const { secrets } = await readNotificationSettings(storage.read, sealer);
  const plain = {
    emailKey: secrets.key,
    slackWebhookUrl: secrets.webhookUrl,
    webhookUrl: secrets.hookUrl,
    webhookSigningKey: secrets.signingKey,
  };
  const sealed: ConfigurationDocument = { ...document, secrets: await sealSecrets(plain, passphrase) };
  return writeBeside(sealed, head(made, true));
}

/**
 * The whole configuration as the text of a file, UTF-8. @param passphrase seals the channels' secrets into it
 */
export async function exportText(
  parts: ExportParts,
  author: Author,
  passphrase?: string,
): Promise<Uint8Array> {
  const text = await textOf(parts, passphrase);
  const sealed = passphrase !== undefined;
  await parts.audit.write({
    action: 'configuration.export',
    level: sealed ? 'warning' : 'info',
    message: `Exported the configuration ${sealed ? 'with its secrets, sealed' : 'without secrets'}`,
    actor: author.email,
    ip: author.ip,
  });
  return text;
}
