import { sql } from 'kysely';
import type { Db, Storage } from '../storage/index.ts';
import { FleetRecord } from './record.ts';

const rowsAtOnce = 200;

/** @returns what services stored of one another and of gateways; what a newer version wrote otherwise is left out */
export async function readRecords(db: Db): Promise<FleetRecord[]> {
  const rows = await db.selectFrom('fleet_members').select('body').execute();
  return rows.flatMap(({ body }) => FleetRecord.safeParse(JSON.parse(body)).data ?? []);
}

/**
 * Keeps the newest word of each.
 * @param latest what is later than that was said while the clock was ahead, and gives way to anything
 */
export async function writeRecords(db: Db, records: readonly FleetRecord[], latest: number): Promise<void> {
  for (let at = 0; at < records.length; at += rowsAtOnce) {
    const values = records
      .slice(at, at + rowsAtOnce)
      .map((record) => ({ id: record.id, seen_at: record.seenAt, body: JSON.stringify(record) }));
    await db
      .insertInto('fleet_members')
      .values(values)
      .onConflict((conflict) =>
        conflict
          .column('id')
          .doUpdateSet((eb) => ({ seen_at: eb.ref('excluded.seen_at'), body: eb.ref('excluded.body') }))
          .where((eb) =>
            eb.or([
              eb('fleet_members.seen_at', '<', eb.ref('excluded.seen_at')),
              eb('fleet_members.seen_at', '>', latest),
            ]),
          ),
      )
      .execute();
  }
}

export async function forgetRecords(db: Db, seenBefore: number): Promise<void> {
  await db.deleteFrom('fleet_members').where('seen_at', '<', seenBefore).execute();
}

/** @returns milliseconds by which the database's clock is ahead of ours; 0 where it is a file on this machine */
export async function clockLead({ dialect, db }: Storage, now: () => number): Promise<number> {
  if (dialect === 'sqlite') return 0;
  const asked = now();
  const result = await sql<{ at: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::bigint as at`.execute(db);
  const answered = now();
  return (result.rows[0]?.at ?? answered) - (asked + answered) / 2;
}
