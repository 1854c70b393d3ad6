import pg from 'pg';
import { timeless } from './sentences.ts';

/** What the database has of one site. */
export interface Stored {
  readonly requests: number;
  readonly blocked: number;
  /** times each block's reference is there, and what it counts for */
  readonly blocks: ReadonlyMap<string, number>;
}

/** Reads the database beside the services, by a way that no fault of the run cuts. */
export interface Store {
  of(siteId: string): Promise<Stored>;
  /** Holds inserts still until the returned function is called. */
  holdInserts(): Promise<() => Promise<void>>;
  /** Has the server refuse what is written, as a standby does, or take it again. */
  refuseWrites(refuse: boolean): Promise<void>;
  /** @returns sentences that gateways and services stored of themselves since then */
  said(sinceMs: number): Promise<string[]>;
  close(): Promise<void>;
}

export function openStore(url: string): Store {
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  pool.on('error', () => {});
  const tables = async () =>
    (await pool.query<{ day: string }>('select day from event_days')).rows.map(({ day }) => `events_${day}`);
  return {
    async of(siteId) {
      const { rows } = await pool.query('select requests, blocked from traffic_total where site_id = $1', [
        siteId,
      ]);
      const blocks = new Map<string, number>();
      for (const table of await tables()) {
        const found = await pool.query<{ request_id: string; count: string }>(
          `select request_id, sum(count) as count from ${table} where site_id = $1 and decision = 'block' group by request_id`,
          [siteId],
        );
        for (const { request_id, count } of found.rows) {
          blocks.set(request_id, (blocks.get(request_id) ?? 0) + Number(count));
        }
      }
      return { requests: Number(rows[0]?.requests ?? 0), blocked: Number(rows[0]?.blocked ?? 0), blocks };
    },
    async holdInserts() {
      const client = await pool.connect();
      await client.query('begin');
      await client.query('lock table event_days in access exclusive mode');
      return async () => {
        await client.query('commit');
        client.release();
      };
    },
    async refuseWrites(refuse) {
      await pool.query(`alter system set default_transaction_read_only = ${refuse ? 'on' : 'off'}`);
      await pool.query('select pg_reload_conf()');
    },
    async said(sinceMs) {
      const sentences = new Set<string>();
      for (const table of await tables()) {
        const { rows } = await pool.query<{ body: string }>(
          `select body from ${table} where kind in ('health', 'engine') and time >= $1`,
          [sinceMs],
        );
        for (const { body } of rows) {
          const { gatewayId, message } = JSON.parse(body) as { gatewayId: string; message: string };
          sentences.add(`${gatewayId}: ${timeless(message)}`);
        }
      }
      return [...sentences];
    },
    close: () => pool.end(),
  };
}
