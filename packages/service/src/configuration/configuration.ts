import { type ConfigSnapshot, type LinkSpoken, ownLink } from '@portcullis/contract/link';
import type { AdminRecord, AuditLog } from '../audit/index.ts';
import type { Failure, Outcome } from '../outcome.ts';
import { success } from '../outcome.ts';
import type { Db, Storage, Trx } from '../storage/index.ts';
import { setAside } from './aside.ts';
import type { Author, Change, ConfigurationWork } from './change.ts';
import { fieldsOf } from './history.ts';
import { condensed, type KeptChange } from './kept-change.ts';
import { ensureVersion, raiseVersion, recordVersion, storedVersion, takeNextVersion } from './repository.ts';

/** What a snapshot holds beside its version; read from storage by who owns each part. */
export type SnapshotParts = Omit<ConfigSnapshot, keyof LinkSpoken | 'version' | 'createdAt'>;

/** The configuration in force: the one way to change it, and the snapshot that gateways get. */
export interface Configuration {
  /** Reads the stored configuration. Call before anything else. */
  start(): Promise<void>;
  current(): ConfigSnapshot;
  /** @returns ends the subscription */
  subscribe(listener: (snapshot: ConfigSnapshot) => void): () => void;
  /** Stores a change, its version, its audit entry and then publishes the new snapshot; or, where it is refused or
   * nothing differs, does nothing. */
  change<T>(author: Author, work: ConfigurationWork<T>): Promise<Outcome<T>>;
  /** Takes up what another service has stored. */
  refresh(): Promise<void>;
  /**
   * Lifts the next version above one that gateways were given, where the database is an older one put back:
   * they would take none of its versions else. @returns whether it had to
   */
  raiseAbove(version: number): Promise<boolean>;
}

export interface ConfigurationOptions {
  readonly storage: Storage;
  readonly audit: AuditLog;
  readonly now: () => number;
  readParts(db: Db | Trx): Promise<SnapshotParts>;
}

/** Carries a refusal out of the transaction, which it rolls back. */
class Refused extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.code);
    this.failure = failure;
  }
}

/** Carries out of the transaction what a save without a difference answers; what it wrote is rolled back. */
class Same extends Error {
  readonly value: unknown;

  constructor(value: unknown) {
    super('Nothing differs');
    this.value = value;
  }
}

interface Committed<T> {
  readonly value: T;
  readonly snapshot: ConfigSnapshot;
  readonly record: AdminRecord;
}

/** @see Configuration */
export function createConfiguration(options: ConfigurationOptions): Configuration {
  const listeners = new Set<(snapshot: ConfigSnapshot) => void>();
  let inForce: ConfigSnapshot | undefined;

  const snapshotOf = async (db: Db | Trx, version: number): Promise<ConfigSnapshot> => ({
    ...ownLink,
    version,
    createdAt: new Date(options.now()).toISOString(),
    ...(await options.readParts(db)),
  });
  const publish = (snapshot: ConfigSnapshot) => {
    // Two commits may be announced in the other order on PostgreSQL; an older one never replaces a newer one.
    if (inForce && inForce.version >= snapshot.version) return;
    inForce = snapshot;
    for (const listener of listeners) listener(snapshot);
  };
  const readAll = () => options.storage.moment(async (trx) => snapshotOf(trx, await storedVersion(trx)));
  const refresh = async () => {
    if ((await storedVersion(options.storage.read)) > (inForce?.version ?? 0)) publish(await readAll());
  };
  return {
    async start() {
      await ensureVersion(options.storage.db);
      publish(await readAll());
    },
    current() {
      if (!inForce) throw new Error('The configuration was not started');
      return inForce;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async change<T>(author: Author, work: ConfigurationWork<T>) {
      try {
        const done = await options.storage.transaction((trx) =>
          commit(options, trx, author, work, snapshotOf),
        );
        publish(done.snapshot);
        options.audit.announce(done.record);
        return success(done.value);
      } catch (error) {
        if (error instanceof Refused) return error.failure;
        if (error instanceof Same) return success(error.value as T);
        throw error;
      }
    },
    refresh,
    async raiseAbove(version) {
      await refresh();
      if ((inForce?.version ?? 0) >= version) return false;
      await raiseVersion(options.storage.db, version + 1);
      await refresh();
      return true;
    },
  };
}

/** Which kinds of things a change touched, and which of their fields, for who reads the audit log by program. */
function touchedBy(changes: readonly KeptChange[]) {
  const kinds = [...new Set(changes.map(({ kind }) => kind))];
  return { kinds, fields: [...new Set(changes.flatMap(fieldsOf))] };
}

async function commit<T>(
  { audit, now }: ConfigurationOptions,
  trx: Trx,
  author: Author,
  work: ConfigurationWork<T>,
  snapshotOf: (db: Trx, version: number) => Promise<ConfigSnapshot>,
): Promise<Committed<T>> {
  const version = await takeNextVersion(trx);
  const time = now();
  const outcome = await work(trx, time);
  if (!outcome.ok) throw new Refused(outcome);
  const change: Change<T> = outcome.value;
  if (change.same) throw new Same(change.value);
  const changes: KeptChange[] = [];
  // One after the other, for all of them are in memory and none is to hold others up.
  for (const one of change.changes)
    changes.push(one.after === null ? await setAside(trx, version, one) : await condensed(one));
  await recordVersion(trx, version, { reason: change.reason, changes }, author, time);
  const record = await audit.append(trx, {
    action: change.action,
    level: 'info',
    message: change.reason,
    actor: author.email,
    ip: author.ip,
    target: change.changes[0]?.id,
    siteId: change.siteId,
    details: { configVersion: version, ...touchedBy(changes) },
  });
  return { value: change.value, snapshot: await snapshotOf(trx, version), record };
}
