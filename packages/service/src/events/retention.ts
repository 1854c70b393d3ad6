import type { Db, Storage } from '../storage/index.ts';
import { dayOf, dropDay } from './days.ts';

const dayMs = 86_400_000;

/** A gateway's spool may come late, but not a week late; until then its batch ids make a repeat harmless. */
const batchIdsKeptMs = 7 * dayMs;
const minutesKeptMs = 7 * dayMs;
const hoursKeptMs = 400 * dayMs;

/** What is kept. */
export interface RetentionLimits {
  /** `logRetentionDays` of the general settings; undefined where nothing may be dropped for its age */
  readonly days: number | undefined;
  /** of all events together, as they are written, without their indexes; the oldest days go first */
  readonly bytes: number;
}

/**
 * @returns days to drop, oldest first: those that are over, then as many as the bytes ask for; never today, nor the
 * newest one where the time is in doubt
 */
export function daysToDrop(
  kept: readonly { readonly day: number; readonly bytes: number }[],
  limits: RetentionLimits,
  now: number,
): number[] {
  const inOrder = [...kept].sort((a, b) => a.day - b.day);
  const isByAge = limits.days !== undefined;
  const oldest = isByAge ? dayOf(now - (limits.days - 1) * dayMs) : 0;
  const today = isByAge ? dayOf(now) : (inOrder.at(-1)?.day ?? 0);
  let bytes = inOrder.filter(({ day }) => day >= oldest).reduce((sum, one) => sum + one.bytes, 0);
  const dropped: number[] = [];
  for (const one of inOrder) {
    if (one.day >= oldest) {
      if (bytes <= limits.bytes || one.day >= today) break;
      bytes -= one.bytes;
    }
    dropped.push(one.day);
  }
  return dropped;
}

/** Drops whole days of events, and figures that are finer than anyone looks at. @returns the days that went */
export async function retain(storage: Storage, limits: RetentionLimits, now: number): Promise<number[]> {
  const kept = await storage.read.selectFrom('event_days').select(['day', 'bytes']).execute();
  const dropped = daysToDrop(kept, limits, now);
  for (const day of dropped) await storage.transaction((trx) => dropDay(trx, day));
  if (limits.days !== undefined) await forget(storage.db, limits.days, now);
  return dropped;
}

async function forget(db: Db, days: number, now: number): Promise<void> {
  await db
    .deleteFrom('event_batches')
    .where('received_at', '<', now - batchIdsKeptMs)
    .execute();
  await db
    .deleteFrom('traffic_minute')
    .where('time', '<', now - minutesKeptMs)
    .execute();
  await db
    .deleteFrom('traffic_hour')
    .where('time', '<', now - hoursKeptMs)
    .execute();
  // One that still holds has no end.
  await db
    .deleteFrom('alerts')
    .where('ended_at', '<', now - days * dayMs)
    .execute();
}
