import type { Alert } from '@portcullis/contract/monitoring';
import type { Selectable } from 'kysely';
import { newId } from '../identity.ts';
import type { AlertsTable, Db, Storage } from '../storage/index.ts';
import { type Condition, steadyLooks } from './conditions.ts';
import type { UnstoredAlerts } from './unstored.ts';

type StoredAlert = Selectable<AlertsTable>;

interface Watched {
  /** looks in a row that disagree with the alert's state */
  against: number;
  /** while it lasts */
  active: StoredAlert | undefined;
}

/** An alert that lasts. */
export interface ActiveAlert {
  /** of its condition */
  readonly key: string;
  readonly type: Alert['type'];
  readonly message: string;
  readonly siteId?: string;
}

/** Turns conditions into alerts with a beginning and an end, which outlive a restart. */
export class AlertKeeper {
  readonly #storage: Storage;
  readonly #now: () => number;
  #watched: Map<string, Watched> | undefined;

  constructor(storage: Storage, now: () => number) {
    this.#storage = storage;
    this.#now = now;
  }

  /** One look at what holds now. @returns the alerts that last after it */
  async look(conditions: readonly Condition[]): Promise<ActiveAlert[]> {
    const watched = await this.#load();
    const holding = new Map(conditions.map((condition) => [condition.key, condition]));
    for (const key of holding.keys()) {
      if (!watched.has(key)) watched.set(key, { against: 0, active: undefined });
    }
    for (const [key, state] of watched) {
      const condition = holding.get(key);
      const disagrees = (condition !== undefined) !== (state.active !== undefined);
      state.against = disagrees ? state.against + 1 : 0;
      if (state.against >= steadyLooks) {
        state.against = 0;
        if (condition) await this.#begin(condition, state);
        else await this.#end(state);
      }
      if (!condition && state.active === undefined && state.against === 0) watched.delete(key);
    }
    return [...watched.values()].flatMap(({ active }) => (active ? [activeAlert(active)] : []));
  }

  /** Keys of the alerts that last, as far as they were read. */
  lasting(): ReadonlySet<string> {
    const active = [...(this.#watched ?? [])].filter(([, state]) => state.active !== undefined);
    return new Set(active.map(([key]) => key));
  }

  /** Has the next look read again what is active. */
  forget(): void {
    this.#watched = undefined;
  }

  async #load(): Promise<Map<string, Watched>> {
    if (this.#watched) return this.#watched;
    const rows = await this.#storage.db
      .selectFrom('alerts')
      .selectAll()
      .where('ended_at', 'is', null)
      .execute();
    this.#watched = new Map(rows.map((row) => [row.key, { against: 0, active: row }]));
    return this.#watched;
  }

  /** Another service may have begun it, where this one was held still while it took itself to be on duty. */
  async #begin(condition: Condition, state: Watched): Promise<void> {
    const row = {
      id: newId('alert'),
      key: condition.key,
      type: condition.type,
      message: condition.message,
      site_id: condition.siteId ?? null,
      started_at: this.#now(),
      ended_at: null,
    };
    state.active = await this.#storage.transaction(async (trx) => {
      const active = await trx
        .selectFrom('alerts')
        .selectAll()
        .where('key', '=', condition.key)
        .where('ended_at', 'is', null)
        .executeTakeFirst();
      if (!active) await trx.insertInto('alerts').values(row).execute();
      return active ?? row;
    });
  }

  async #end(state: Watched): Promise<void> {
    await this.#storage.db
      .updateTable('alerts')
      .set({ ended_at: this.#now() })
      .where('id', '=', state.active?.id ?? '')
      .where('ended_at', 'is', null)
      .execute();
    state.active = undefined;
  }
}

const activeAlert = ({ key, type, message, site_id }: StoredAlert): ActiveAlert => ({
  ...{ key, type: type as Alert['type'], message },
  ...(site_id !== null && { siteId: site_id }),
});

function presentAlert(row: StoredAlert): Alert {
  return {
    id: row.id,
    type: row.type as Alert['type'],
    message: row.message,
    timestamp: new Date(row.started_at).toISOString(),
    status: row.ended_at === null ? 'active' : 'resolved',
    ...(row.ended_at !== null && { endedAt: new Date(row.ended_at).toISOString() }),
    ...(row.site_id !== null && { siteId: row.site_id }),
  };
}

/**
 * Active ones first, then the newest.
 * @param unstored what holds here and perhaps could not be stored
 */
export async function listAlerts(db: Db, limit: number, unstored?: UnstoredAlerts): Promise<Alert[]> {
  const rows = await db
    .selectFrom('alerts')
    .selectAll()
    .orderBy((eb) => eb.case().when('ended_at', 'is', null).then(0).else(1).end())
    .orderBy('started_at', 'desc')
    .limit(limit)
    .execute();
  const active = new Set(rows.filter((row) => row.ended_at === null).map(({ key }) => key));
  return [...(unstored?.besides(active) ?? []), ...rows.map(presentAlert)].slice(0, limit);
}
