import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Fleet } from '@portcullis/contract/fleet';
import { readFleet, sqliteFileName } from '@portcullis/service';
import type { Settings } from '../environment/index.ts';
import { linkSocketPath } from '../link/index.ts';
import { askService } from './ask-service.ts';

/** Longer than gateways and services are silent between two words. */
const listenMs = 3000;

/** What is known of the fleet, and how. */
export interface Look {
  readonly fleet: Fleet;
  /** one sentence for a person */
  readonly source: string;
}

/**
 * Asks this machine's service. Where none answers, reads what services stored and listens on Redis to who speaks.
 * @returns undefined where there is neither
 */
export async function lookAtFleet(settings: Settings): Promise<Look | undefined> {
  const { PORTCULLIS_DATA_DIR: dataDir, PORTCULLIS_DATABASE_URL: databaseUrl } = settings;
  const told = await askService(linkSocketPath(dataDir));
  if (told) return { fleet: told, source: "As this machine's service knows it" };
  const heard = await listen(settings);
  const stored = databaseUrl !== undefined || existsSync(path.join(dataDir, sqliteFileName));
  if (!stored && !heard) return undefined;
  const known = await readFleet(stored ? { dataDir, databaseUrl } : undefined, heard);
  const where = [stored && 'in the database', heard && 'on Redis'].filter(Boolean).join(' and ');
  return { fleet: known, source: `No service answers on this machine: as is said ${where}` };
}

async function listen(settings: Settings) {
  const { PORTCULLIS_REDIS_URL: url, PORTCULLIS_REDIS_CA: ca, PORTCULLIS_CLUSTER_KEY: clusterKey } = settings;
  if (url === undefined || clusterKey === undefined) return undefined;
  const { listenToFleet } = await import('../redis/index.ts');
  return listenToFleet({ url, ca, clusterKey }, listenMs);
}
