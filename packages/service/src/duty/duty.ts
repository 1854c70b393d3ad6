import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Log } from '../log.ts';
import type { Db, Storage, Trx } from '../storage/index.ts';

const leaseName = 'duty';
export const leaseMs = 8000;
/** Who waits for it looks as often: both together are how long nobody may be on duty. */
export const renewEveryMs = 2000;
/** Ours counts as over before the database lets another take it, whatever the two clocks do meanwhile. */
const marginMs = 2000;

/** Which of the services on a database does what must be done once: jobs, alerts, notifications. */
export interface Duty {
  /** whether it is this one */
  readonly held: boolean;
  /** @returns ends the subscription; told each time that duty begins here */
  onBegin(listener: () => void): () => void;
  /** resolves once it is known who has it */
  start(): Promise<void>;
  /** hands it over at once */
  stop(): Promise<void>;
}

/** SQLite has one service, which is always on duty; on PostgreSQL it is who holds the lease. */
export function createDuty(storage: Storage, log: Log): Duty {
  const listeners = new Set<() => void>();
  const onBegin = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const begin = () => {
    for (const listener of listeners) listener();
  };
  if (storage.dialect === 'sqlite')
    return { held: true, onBegin, start: async () => begin(), async stop() {} };

  const holder = randomUUID();
  let held: Lease | undefined;
  let timer: NodeJS.Timeout | undefined;
  let turning: Promise<void> | undefined;
  const renew = async () => {
    const asked = { now: performance.now(), clock: Date.now() };
    const before = isValid(held);
    try {
      held = (await takeLease(storage, holder)) ? leaseSince(asked) : undefined;
    } catch (error) {
      // What is held runs out by itself.
      if (before) log.warn('The lease on duty could not be renewed', { reason: String(error) });
    }
    const holds = isValid(held);
    if (holds && !before) begin();
    if (holds !== before)
      log.info(holds ? 'On duty for jobs, alerts and notifications' : 'No longer on duty');
  };
  const turn = () => {
    turning ??= renew().finally(() => {
      turning = undefined;
    });
    return turning;
  };
  return {
    get held() {
      return isValid(held);
    },
    onBegin,
    async start() {
      timer = setInterval(() => void turn(), renewEveryMs);
      timer.unref();
      await turn();
    },
    async stop() {
      clearInterval(timer);
      await turning;
      held = undefined;
      // Else it runs out by itself.
      await storage.db
        .deleteFrom('leases')
        .where('name', '=', leaseName)
        .where('holder', '=', holder)
        .execute()
        .catch(() => undefined);
    },
  };
}

/**
 * Until when we take ourselves to be on duty, by two clocks: the one that nobody sets stands still while a virtual machine
 * is suspended, and the other one then shows how long that was.
 */
interface Lease {
  readonly untilNow: number;
  readonly untilClock: number;
}

const leaseSince = ({ now, clock }: { now: number; clock: number }): Lease => ({
  untilNow: now + leaseMs - marginMs,
  untilClock: clock + leaseMs - marginMs,
});

const isValid = (lease: Lease | undefined): boolean =>
  lease !== undefined && performance.now() < lease.untilNow && Date.now() < lease.untilClock;

/** @returns whether a service works on a database of PostgreSQL, or did until seconds ago; by the database's clock */
export async function isOnDuty(db: Db | Trx): Promise<boolean> {
  const { rows } = await sql`
    select 1 from leases where name = ${leaseName} and expires_at > extract(epoch from clock_timestamp()) * 1000
    `.execute(db);
  return rows.length > 0;
}

/** By the database's clock, so that no machine's own can make two holders of one. */
async function takeLease({ db }: Storage, holder: string): Promise<boolean> {
  const clock = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
  const row = await db
    .insertInto('leases')
    .values({ name: leaseName, holder, expires_at: sql<number>`${clock} + ${leaseMs}` })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ holder, expires_at: sql<number>`${clock} + ${leaseMs}` })
        .where((eb) => eb.or([eb('leases.holder', '=', holder), eb('leases.expires_at', '<', clock)])),
    )
    .returning('holder')
    .executeTakeFirst();
  return row?.holder === holder;
}
