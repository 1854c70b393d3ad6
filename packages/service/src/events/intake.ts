import type { SecurityEvent } from '@portcullis/contract/events';
import type { Delivery, EventBatch } from '@portcullis/contract/link';
import { insertBans } from '../bans/index.ts';
import type { Log } from '../log.ts';
import { type Storage, type StorageErrorKind, storageErrorKind, type Trx } from '../storage/index.ts';
import { addCounters } from '../traffic/index.ts';
import { insertEvents } from './repository.ts';

/** Takes what gateways report and tells who watches. */
export interface EventIntake {
  /** Resolves once the batch is committed; a repeat of a known id resolves at once. Never throws. */
  accept(batch: EventBatch): Promise<Delivery>;
  /** the same for several at once, in one transaction: all or none */
  acceptAll(batches: readonly EventBatch[]): Promise<Delivery>;
  /** @returns ends the subscription; told of stored events only, each once */
  subscribe(listener: (events: readonly SecurityEvent[]) => void): () => void;
  /** @returns ends the subscription; told when bans were stored */
  subscribeToBans(listener: () => void): () => void;
}

export interface IntakeOptions {
  readonly storage: Storage;
  readonly log: Log;
  readonly now: () => number;
}

/** How far a gateway's clock may run ahead before its times are corrected. */
const maxAheadMs = 3_600_000;
const minuteMs = 60_000;

/**
 * Whether a batch is to come again: the database may be away, locked, full, put back or without a right, and whatever it
 * is, somebody will mend it. What the batch itself, or we, did wrong would be wrong again.
 */
const passes = (kind: StorageErrorKind | undefined) => kind !== undefined && !faults.has(kind);
const faults: ReadonlySet<StorageErrorKind> = new Set(['data', 'unique', 'foreign_key']);

/** One transaction for all: each batch's id, events and counters are kept together or not at all. */
async function store(
  trx: Trx,
  batches: readonly EventBatch[],
  storage: Storage,
  now: number,
): Promise<SecurityEvent[]> {
  // In the order of their ids, so that two services that were given the same batches never wait for each other.
  const rows = batches
    .map(({ id, gatewayId, dropped }) => ({ id, gateway_id: gatewayId, received_at: now, dropped }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const inserted = await trx
    .insertInto('event_batches')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute();
  const ids = new Set(inserted.map(({ id }) => id));
  // A batch may stand twice in the list, too.
  const unseen = batches.filter(({ id }) => ids.delete(id));
  const events = unseen
    .flatMap((batch) => batch.events)
    .map((event) => (event.time > now + maxAheadMs ? { ...event, time: now } : event));
  const fresh = await insertEvents(trx, events, storage.dialect);
  const counted = unseen
    .flatMap((batch) => batch.counters)
    .map((one) => (one.minute > now + maxAheadMs ? { ...one, minute: now - (now % minuteMs) } : one));
  await addCounters(trx, counted);
  await insertBans(
    trx,
    unseen.flatMap((batch) => batch.bans ?? []),
    now,
  );
  return fresh;
}

/** @see EventIntake */
export function createIntake({ storage, log, now }: IntakeOptions): EventIntake {
  const listeners = new Set<(events: readonly SecurityEvent[]) => void>();
  const banListeners = new Set<() => void>();
  const acceptAll = async (batches: readonly EventBatch[]): Promise<Delivery> => {
    if (batches.length === 0) return { delivered: true };
    try {
      const fresh = await storage.transaction((trx) => store(trx, batches, storage, now()));
      if (batches.some(({ bans = [] }) => bans.length > 0)) for (const listener of banListeners) listener();
      if (fresh.length > 0) for (const listener of listeners) listener(fresh);
      for (const { gatewayId, dropped } of batches) {
        if (dropped > 0) log.warn('A gateway had to drop events', { gateway: gatewayId, dropped });
      }
      return { delivered: true };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const retry = passes(storageErrorKind(error));
      log.error('Batches of events could not be stored', { first: batches[0]?.id, retry, reason });
      return { delivered: false, retry, reason };
    }
  };
  return {
    accept: (batch) => acceptAll([batch]),
    acceptAll,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    subscribeToBans(listener) {
      banListeners.add(listener);
      return () => banListeners.delete(listener);
    },
  };
}
