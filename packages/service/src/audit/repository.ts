import type { Selectable } from 'kysely';
import { type AdminAuditTable, containsText, type Db, type Trx } from '../storage/index.ts';
import { type AdminRecord, chainHash, chainStart } from './admin-audit.ts';

const headKey = 'audit_head';

/** @returns the hash that the newest entry has */
export async function chainHead(db: Db): Promise<string> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', headKey).executeTakeFirst();
  return row?.value ?? chainStart;
}

/** Appends to the chain. The head's row is locked first, so that two writers cannot chain to the same entry. */
export async function appendRecord(trx: Trx, record: AdminRecord): Promise<void> {
  await trx
    .insertInto('meta')
    .values({ key: headKey, value: chainStart })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ key: headKey }))
    .execute();
  const head = await trx
    .selectFrom('meta')
    .select('value')
    .where('key', '=', headKey)
    .executeTakeFirstOrThrow();
  const hash = chainHash(head.value, record);
  await trx
    .insertInto('admin_audit')
    .values({
      id: record.id,
      time: record.time,
      level: record.level,
      action: record.action,
      message: record.message,
      actor: record.actor,
      ip: record.ip,
      target: record.target ?? null,
      site_id: record.siteId ?? null,
      details: JSON.stringify(record.details ?? null),
      previous_hash: head.value,
      hash,
    })
    .execute();
  await trx.updateTable('meta').set({ value: hash }).where('key', '=', headKey).execute();
}

/** A stored row as the record that was chained. */
export function recordOfRow(row: Selectable<AdminAuditTable>): AdminRecord {
  return {
    id: row.id,
    time: row.time,
    level: row.level as AdminRecord['level'],
    action: row.action,
    message: row.message,
    actor: row.actor,
    ip: row.ip,
    target: row.target ?? undefined,
    siteId: row.site_id ?? undefined,
    details: JSON.parse(row.details),
  };
}

export interface RecordFilter {
  readonly limit: number;
  readonly levels?: readonly string[] | undefined;
  readonly actions?: readonly string[] | undefined;
  readonly siteId?: string | undefined;
  /** what was changed */
  readonly target?: string | undefined;
  /** stands somewhere in the entry, whatever its case (ASCII) */
  readonly text?: string | undefined;
  /** Unix milliseconds: nothing older */
  readonly since?: number | undefined;
  /** Unix milliseconds: only what is older */
  readonly until?: number | undefined;
}

/** Newest first, by their times. */
export async function newestRecords(db: Db, filter: RecordFilter): Promise<AdminRecord[]> {
  // A list without a value fits nothing; PostgreSQL refuses it as no list.
  if (filter.levels?.length === 0 || filter.actions?.length === 0) return [];
  let query = db.selectFrom('admin_audit').selectAll();
  if (filter.levels) query = query.where('level', 'in', [...filter.levels]);
  if (filter.actions) query = query.where('action', 'in', [...filter.actions]);
  if (filter.siteId !== undefined) query = query.where('site_id', '=', filter.siteId);
  if (filter.target !== undefined) query = query.where('target', '=', filter.target);
  if (filter.since !== undefined) query = query.where('time', '>=', filter.since);
  if (filter.until !== undefined) query = query.where('time', '<', filter.until);
  const { text } = filter;
  if (text !== undefined) {
    const columns = ['message', 'action', 'actor', 'ip'] as const;
    query = query.where((where) => where.or(columns.map((column) => containsText(where.ref(column), text))));
  }
  const rows = await query.orderBy('time', 'desc').orderBy('seq', 'desc').limit(filter.limit).execute();
  return rows.map(recordOfRow);
}

/**
 * A page of all entries in the order in which they were chained, the last one first: times may go back with the clock.
 * @param before id of the last entry of the page before
 * @returns undefined where no entry has that id
 */
export async function pageOfRecords(
  db: Db,
  { limit, before }: { readonly limit: number; readonly before?: string | undefined },
): Promise<AdminRecord[] | undefined> {
  let query = db.selectFrom('admin_audit').selectAll();
  if (before !== undefined) {
    const last = await db.selectFrom('admin_audit').select('seq').where('id', '=', before).executeTakeFirst();
    if (!last) return undefined;
    query = query.where('seq', '<', last.seq);
  }
  const rows = await query.orderBy('seq', 'desc').limit(limit).execute();
  return rows.map(recordOfRow);
}
