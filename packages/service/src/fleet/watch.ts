import type { Fleet } from '@portcullis/contract/fleet';
import { fleetLimits } from '@portcullis/contract/fleet';
import { type GatewayReport, ownLink, type Peers, type ServiceReport } from '@portcullis/contract/link';
import type { Log } from '../log.ts';
import type { Storage } from '../storage/index.ts';
import { describeFleet } from './describe.ts';
import { type FleetRecord, recordOfGateway, recordOfService } from './record.ts';
import { clockLead, forgetRecords, readRecords, writeRecords } from './repository.ts';

const reportEveryMs = 2000;
const storeEveryMs = 5000;
/** Connecting takes a moment: only after it is a service that hears nothing yet called deaf. */
const connectingMs = 5000;
/** What was seen later than this from now was seen while the clock was ahead. */
const maxAheadMs = 10_000;

/** Who this service is among the others. */
export interface ServiceIdentity {
  readonly id: string;
  /** the machine's name */
  readonly host: string;
  readonly productVersion: string;
}

export interface FleetParts {
  readonly storage: Storage;
  readonly log: Log;
  readonly now: () => number;
  /** `reason`: why this machine's clock is in doubt, in words for a person; undefined while it is not */
  readonly clock: { readonly reason: string | undefined };
  readonly duty: { readonly held: boolean };
  readonly configuration: { current(): { readonly version: number } };
  readonly identity: ServiceIdentity;
}

/** Every gateway and service, from what each says of itself; what is stored of it outlives whoever listens. */
export interface FleetWatch {
  list(): Fleet;
  /** that the database takes nothing from here, in the words of the problem that is told of this service */
  readonly unstored: string | undefined;
  hearGateway(report: GatewayReport): void;
  hearService(report: ServiceReport): void;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** @param peers to whom this service tells how it is, and whether words of others arrive */
export function createFleetWatch(parts: FleetParts, peers: Peers): FleetWatch {
  return new Watch(parts, peers);
}

class Watch implements FleetWatch {
  readonly #parts: FleetParts;
  readonly #peers: Peers;
  readonly #records = new Map<string, FleetRecord>();
  readonly #startedAt: string;
  readonly #timers: NodeJS.Timeout[] = [];
  #lead = 0;
  #hearingSince: number | undefined;
  #hasHeard = false;
  readonly #bornAt: number;
  #newestElsewhere = 0;
  #storing: Promise<void> | undefined;
  #storedAt = 0;
  /** tries in a row that failed to store what is known here, and why the last one did */
  #unstored = 0;
  #reason = '';
  #cpu = process.cpuUsage();
  #cpuAt = performance.now();

  constructor(parts: FleetParts, peers: Peers) {
    this.#parts = parts;
    this.#peers = peers;
    this.#bornAt = parts.now();
    this.#startedAt = new Date(this.#bornAt).toISOString();
  }

  list(): Fleet {
    const hearingSince = this.#hearing();
    // What this service runs is known without waiting for its own next word.
    const own = this.#records.get(this.#parts.identity.id);
    const configVersion = this.#parts.configuration.current().version;
    if (own && (own.configVersion !== configVersion || own.problems.join() !== this.#problems().join()))
      this.#report();
    return describeFleet(this.#records.values(), { now: this.#now(), newest: this.#newest(), hearingSince });
  }

  get unstored(): string | undefined {
    // A database that starts again is back before the second try.
    return this.#unstored < 2 ? undefined : unstored(this.#reason);
  }

  hearGateway(report: GatewayReport): void {
    this.#keep(recordOfGateway(report, this.#heard(report.gatewayId)));
  }

  hearService(report: ServiceReport): void {
    this.#newestElsewhere = Math.max(this.#newestElsewhere, report.configVersion);
    this.#keep(recordOfService(report, this.#heard(report.serviceId)));
  }

  async start(): Promise<void> {
    await this.#exchange();
    this.#report();
    this.#timers.push(
      setInterval(() => this.#report(), reportEveryMs),
      setInterval(() => this.#store(), storeEveryMs),
    );
    for (const timer of this.#timers) timer.unref();
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
    this.#report({ leaving: true });
    await this.#storing;
    await this.#exchange().catch(() => undefined);
  }

  /** The database's clock, which all services have in common. */
  #now(): number {
    return Math.round(this.#parts.now() + this.#lead);
  }

  #newest(): number {
    return Math.max(this.#parts.configuration.current().version, this.#newestElsewhere);
  }

  #heard(id: string) {
    return { at: this.#now(), newest: this.#newest(), before: this.#records.get(id) };
  }

  #keep(record: FleetRecord): void {
    this.#records.set(record.id, record);
  }

  #hearing(): number | undefined {
    const now = this.#now();
    this.#hearingSince = this.#peers.hearing ? Math.min(this.#hearingSince ?? now, now) : undefined;
    this.#hasHeard ||= this.#hearingSince !== undefined;
    return this.#hearingSince;
  }

  #deaf(): boolean {
    const connecting = !this.#hasHeard && this.#parts.now() - this.#bornAt < connectingMs;
    return this.#hearing() === undefined && !connecting;
  }

  #report(last: Pick<ServiceReport, 'leaving'> = {}): void {
    const { identity, configuration, duty, now } = this.#parts;
    const { id: serviceId, host, productVersion } = identity;
    const used = process.cpuUsage(this.#cpu);
    const forMs = Math.max(1, performance.now() - this.#cpuAt);
    this.#cpu = process.cpuUsage();
    this.#cpuAt = performance.now();
    const problems = this.#problems();
    const report: ServiceReport = {
      ...{ serviceId, host, productVersion, ...ownLink, startedAt: this.#startedAt, time: now() },
      configVersion: configuration.current().version,
      onDuty: duty.held,
      memoryBytes: process.memoryUsage.rss(),
      cpuPercent: (used.user + used.system) / 10 / forMs,
      ...(problems.length > 0 && { problems }),
      ...last,
    };
    this.hearService(report);
    this.#peers.tell({ type: 'service', report });
  }

  #store(): void {
    this.#storing ??= this.#exchange()
      .then(
        () => {
          this.#unstored = 0;
        },
        (error: unknown) => this.#complain(error),
      )
      .finally(() => {
        this.#storing = undefined;
      });
  }

  /** In the log once, until it succeeds again. */
  #complain(error: unknown): void {
    const reason = (error instanceof Error ? error.message : String(error)).slice(0, 300);
    if (this.#unstored === 0)
      this.#parts.log.warn('What is known of gateways and services cannot be stored', { reason });
    this.#unstored += 1;
    this.#reason = reason;
  }

  #problems(): string[] {
    const reasons = [this.#deaf() ? deaf : undefined, this.unstored, this.#parts.clock.reason];
    return reasons.filter((reason) => reason !== undefined);
  }

  /** Stores what was heard here, of others only on duty, and takes up what was heard elsewhere. */
  async #exchange(): Promise<void> {
    const { storage, duty, identity, now } = this.#parts;
    this.#lead = await clockLead(storage, now);
    const at = this.#now();
    const latest = at + maxAheadMs;
    if (this.#storedAt > latest) this.#storedAt = 0;
    for (const record of this.#records.values()) this.#keep(notAfter(latest, at, record));
    const fresh = [...this.#records.values()].filter(({ seenAt }) => seenAt >= this.#storedAt);
    const ours = fresh.filter(({ id }) => duty.held || id === identity.id);
    await writeRecords(storage.db, ours, latest);
    this.#storedAt = at;
    const forgotten = this.#now() - fleetLimits.absentForgottenMs;
    if (duty.held) await forgetRecords(storage.db, forgotten);
    for (const stored of await readRecords(storage.read)) {
      if (stored.seenAt > latest && this.#records.has(stored.id)) continue;
      const record = notAfter(latest, at, stored);
      if (record.seenAt > (this.#records.get(record.id)?.seenAt ?? 0)) this.#keep(record);
    }
    for (const { id, seenAt } of this.#records.values()) if (seenAt < forgotten) this.#records.delete(id);
  }
}

/**
 * What was seen while the clock that all share was ahead was seen just now, so that who is gone since does not pass for
 * present until that clock has caught up.
 */
function notAfter(latest: number, now: number, record: FleetRecord): FleetRecord {
  if (record.seenAt <= latest) return record;
  const { behindSince, rivalAt: _, ...others } = record;
  const endings = record.endings?.filter((at) => at <= latest);
  return {
    ...others,
    seenAt: now,
    ...(behindSince !== undefined && { behindSince: Math.min(behindSince, now) }),
    ...(endings && { endings }),
  };
}

const unstored = (reason: string) =>
  `The database takes nothing from this service: events wait until it does (${reason})`;
const deaf =
  'Redis is away: gateways and other services are not heard here, and what is shown of them is old';
