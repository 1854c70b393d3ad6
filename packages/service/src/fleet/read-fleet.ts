import type { Fleet } from '@portcullis/contract/fleet';
import type { GatewayReport, ServiceReport } from '@portcullis/contract/link';
import { storedVersion } from '../configuration/index.ts';
import { openStorage, type StorageOptions } from '../storage/index.ts';
import { describeFleet } from './describe.ts';
import { type FleetRecord, recordOfGateway, recordOfService } from './record.ts';
import { clockLead, readRecords } from './repository.ts';

/** What was heard just now, without any service. */
export interface HeardFleet {
  readonly gateways: readonly GatewayReport[];
  readonly services: readonly ServiceReport[];
}

/**
 * The fleet without a service: what services stored, and over it what was heard just now.
 * @param place of the database; absent: only what was heard
 * @throws StartError where the database cannot be opened, or is not of this version
 */
export async function readFleet(
  place: Pick<StorageOptions, 'dataDir' | 'databaseUrl'> | undefined,
  heard: HeardFleet | undefined,
): Promise<Fleet> {
  const stored = place ? await readStored(place) : { version: 0, lead: 0, records: [] };
  const at = Math.round(Date.now() + stored.lead);
  const { gateways = [], services = [] } = heard ?? {};
  const newest = Math.max(stored.version, ...services.map(({ configVersion }) => configVersion));
  const records = new Map<string, FleetRecord>(stored.records.map((record) => [record.id, record]));
  const about = (id: string) => ({ at, newest, before: records.get(id) });
  for (const report of gateways)
    records.set(report.gatewayId, recordOfGateway(report, about(report.gatewayId)));
  for (const report of services)
    records.set(report.serviceId, recordOfService(report, about(report.serviceId)));
  // What services stored they heard all along.
  return describeFleet(records.values(), { now: at, newest, hearingSince: 0 });
}

async function readStored(place: Pick<StorageOptions, 'dataDir' | 'databaseUrl'>) {
  const storage = await openStorage({ ...place, asItStands: true });
  try {
    return {
      version: await storedVersion(storage.read),
      lead: await clockLead(storage, Date.now),
      records: await readRecords(storage.read),
    };
  } finally {
    await storage.close();
  }
}
