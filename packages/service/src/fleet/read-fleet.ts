import type { Fleet } from '@portcullis/contract/fleet';
import type { GatewayReport, ServiceReport } from '@portcullis/contract/link';
import { storedVersion } from '../configuration/index.ts';
import { openStorage, type StorageOptions } from '../storage/index.ts';
import { describeFleet } from './describe.ts';
import { type FleetRecord, recordOfGateway, recordOfService } from './record.ts';
import { clockLead, readRecords } from './repository.ts';

/** What was heard just now, without any service, each with the Unix milliseconds at which it was. */
export interface HeardFleet {
  readonly gateways: readonly { readonly at: number; readonly report: GatewayReport }[];
  readonly services: readonly { readonly at: number; readonly report: ServiceReport }[];
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
  const { gateways = [], services = [] } = heard ?? {};
  const newest = Math.max(stored.version, ...services.map(({ report }) => report.configVersion));
  const records = new Map<string, FleetRecord>(stored.records.map((record) => [record.id, record]));
  const shared = (ours: number) => Math.round(ours + stored.lead);
  const about = (id: string, at: number) => ({ at: shared(at), newest, before: records.get(id) });
  for (const { report, at } of gateways)
    records.set(report.gatewayId, recordOfGateway(report, about(report.gatewayId, at)));
  for (const { report, at } of services)
    records.set(report.serviceId, recordOfService(report, about(report.serviceId, at)));
  // What services stored they heard all along.
  return describeFleet(records.values(), { now: shared(Date.now()), newest, hearingSince: 0 });
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
