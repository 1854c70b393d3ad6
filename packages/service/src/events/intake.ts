import type { SecurityEvent } from '@portcullis/contract/events';
import type { Delivery, EventBatch } from '@portcullis/contract/link';
import type { Log } from '../log.ts';
import { type Storage, type StorageErrorKind, storageErrorKind, type Trx } from '../storage/index.ts';
import { addCounters } from '../traffic/index.ts';
import { insertEvents } from './repository.ts';

/** Takes what gateways report and tells who watches. */
export interface EventIntake {
  /** Resolves once the batch is committed; a repeat of a known id resolves at once. Never throws. */
  accept(batch: EventBatch): Promise<Delivery>;
  /** @returns ends the subscription; told of stored events only, each once */
  subscribe(listener: (events: readonly SecurityEvent[]) => void): () => void;
}

export interface IntakeOptions {
  readonly storage: Storage;
  readonly log: Log;
  readonly now: () => number;
}

/** How far a gateway's clock may run ahead before its times are corrected. */
const maxAheadMs = 3_600_000;

/** Failures that pass: the gateway keeps the batch in its spool and comes again. */
const passing: ReadonlySet<StorageErrorKind | undefined> = new Set<StorageErrorKind>([
  'busy',
  'full',
  'read_only',
  'corrupt',
  'unreachable',
]);

/** One transaction for the whole batch: its id, events and counters are kept together or not at all. */
async function store(trx: Trx, batch: EventBatch, storage: Storage, now: number): Promise<SecurityEvent[]> {
  const inserted = await trx
    .insertInto('event_batches')
    .values({ id: batch.id, gateway_id: batch.gatewayId, received_at: now, dropped: batch.dropped })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows === 0n) return [];
  const events = batch.events.map((event) =>
    event.time > now + maxAheadMs ? { ...event, time: now } : event,
  );
  const fresh = await insertEvents(trx, events, storage.dialect);
  await addCounters(trx, batch.counters);
  return fresh;
}

/** @see EventIntake */
export function createIntake({ storage, log, now }: IntakeOptions): EventIntake {
  const listeners = new Set<(events: readonly SecurityEvent[]) => void>();
  return {
    async accept(batch) {
      try {
        const fresh = await storage.transaction((trx) => store(trx, batch, storage, now()));
        if (fresh.length > 0) for (const listener of listeners) listener(fresh);
        if (batch.dropped > 0) {
          log.warn('A gateway had to drop events', { gateway: batch.gatewayId, dropped: batch.dropped });
        }
        return { delivered: true };
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        const retry = passing.has(storageErrorKind(error));
        log.error('A batch of events could not be stored', { batch: batch.id, retry, reason });
        return { delivered: false, retry, reason };
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
