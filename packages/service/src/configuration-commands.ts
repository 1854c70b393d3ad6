import type { Issue } from '@portcullis/contract/api';
import type { ConfigurationImportResult } from '@portcullis/contract/configuration';
import type { CustomRuleCreate } from '@portcullis/contract/protection';
import { commandLineActor, createAuditLog } from './audit/index.ts';
import { createConfiguration } from './configuration/index.ts';
import {
  type ConfigurationFileParts,
  exportText,
  importText,
  type TextOptions,
} from './configuration-file/index.ts';
import type { InstallationPlace } from './maintenance.ts';
import type { Outcome } from './outcome.ts';
import { restorers } from './restorers.ts';
import { loadSealer } from './sealing/index.ts';
import { openStorage } from './storage/index.ts';
import { readSnapshotParts, storedConfiguration } from './stored-configuration.ts';
import { surroundings } from './surroundings.ts';

/** An installation and what the composition root knows of it. */
export interface CommandPlace extends InstallationPlace {
  /** ports of the gateways of this machine */
  readonly gatewayPorts: readonly number[];
  /** the account on this machine that runs the command */
  readonly operator: string;
  /** says what of a rule the engine cannot compile */
  checkRule(rule: CustomRuleCreate): readonly Issue[];
}

/** Whoever has the data folder has the installation, so no account is asked for; the history names the machine's. */
const authorAt = ({ operator }: CommandPlace) => ({ email: commandLineActor(operator), ip: '' });

/**
 * Works on an installation's database as it stands, whether the service runs or not: a running one looks for new
 * versions by itself.
 * @throws StartError where there is none, or it has another version's schema
 */
async function onInstallation<T>(
  place: CommandPlace,
  work: (parts: ConfigurationFileParts) => Promise<T>,
): Promise<T> {
  const storage = await openStorage({ ...place, asItStands: true });
  try {
    const sealer = await loadSealer(place.dataDir, { make: false });
    const stored = storedConfiguration();
    const now = Date.now;
    const audit = createAuditLog(storage, now);
    const readParts = (db: Parameters<typeof readSnapshotParts>[2]) => readSnapshotParts(stored, sealer, db);
    const configuration = createConfiguration({ storage, audit, now, readParts });
    const around = { surroundings: () => surroundings(place), checkRule: place.checkRule };
    const parts = { ...stored, ...around, storage, sealer, audit, now, configuration };
    return await work({ ...parts, restorers: restorers(parts) });
  } finally {
    await storage.close();
  }
}

/** @returns the whole configuration as the text of a YAML file. @param passphrase seals its secrets into it */
export const exportConfiguration = (place: CommandPlace, passphrase?: string): Promise<string> =>
  onInstallation(place, async (parts) =>
    Buffer.from(await exportText(parts, authorAt(place), passphrase)).toString(),
  );

/** Compares the text of a file with what is stored, and applies it where that is asked for. */
export const importConfiguration = (
  place: CommandPlace,
  text: string,
  options: TextOptions,
): Promise<Outcome<ConfigurationImportResult>> =>
  onInstallation(place, (parts) => importText(parts, text, options, authorAt(place)));
