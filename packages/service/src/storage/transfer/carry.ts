import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { StartError } from '../../start-error.ts';
import type { Db, Storage, Trx } from '../connect.ts';
import { createDayTable, indexDayTable } from '../day-tables.ts';
import type { StorageDialect } from '../migrations/index.ts';
import { type StorageErrorKind, storageErrorKind } from '../storage-error.ts';
import type { SchemaPlan, TablePlan } from './plan.ts';
import { countRows, type Row, readRows } from './read-rows.ts';
import { readCounter, writeCounter, writeRows } from './write-rows.ts';

/** A table that was carried: the same in both databases. */
export interface CarriedTable {
  readonly name: string;
  readonly rows: number;
  /** SHA-256 over all rows by primary key, each as a JSON list of its values by column; hexadecimal */
  readonly digest: string;
}

/** How far a table is. */
export interface CarryProgress {
  readonly doing: 'copying' | 'checking';
  readonly table: string;
  readonly rows: number;
  /** of how many */
  readonly of: number;
}

export interface CarryOptions {
  /** told after every batch */
  readonly onProgress?: ((progress: CarryProgress) => void) | undefined;
  /** explains what broke on either side; told the error, returns what is thrown instead */
  readonly explain?: Partial<Record<'source' | 'target', (error: unknown) => unknown>>;
}

/** One side of a transfer, inside the transaction that it needs. */
export interface Side {
  readonly db: Db | Trx;
  readonly dialect: StorageDialect;
}

/** Runs `work` on one moment of a database, however long that takes. */
export function heldMoment<T>(storage: Storage, work: (side: Side) => Promise<T>): Promise<T> {
  return storage.moment(async (trx) => {
    await takeTime(trx, storage.dialect);
    return work({ db: trx, dialect: storage.dialect });
  });
}

/** Lifts the limits of time that PostgreSQL sets to a statement and to a transaction that waits for the other side. */
export async function takeTime(trx: Trx, dialect: StorageDialect): Promise<void> {
  if (dialect === 'sqlite') return;
  await sql`set local statement_timeout = 0`.execute(trx);
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
}

const days = async ({ db }: Side) =>
  (await db.selectFrom('event_days').select('day').orderBy('day').execute()).map(({ day }) => day);

/** @returns all tables of a database with rows to carry, those that others refer to first */
export async function tablesToCarry(plan: SchemaPlan, source: Side): Promise<TablePlan[]> {
  return [...plan.tables, ...(await days(source)).map((day) => plan.eventsOf(day))];
}

/**
 * Copies every row of the source into the empty tables of the target, then reads all of it back and compares.
 * @param target of the source's schema, without rows; in a transaction wherever a failure must leave nothing behind
 * @throws StartError that names the first row which is not the same
 */
export async function carry(
  plan: SchemaPlan,
  source: Side,
  target: Side,
  { onProgress, explain }: CarryOptions = {},
): Promise<CarriedTable[]> {
  const from = guarded(explain?.source);
  const into = guarded(explain?.target);
  const eventDays = await from(() => days(source));
  const tables = await from(() => tablesToCarry(plan, source));
  const schema = target.db as unknown as Kysely<unknown>;
  for (const day of eventDays) await into(() => createDayTable(schema, day, target.dialect));
  const copied: CarriedTable[] = [];
  for (const table of tables) {
    const of = await from(() => countRows(source.db, table));
    const tell = (rows: number) => onProgress?.({ doing: 'copying', table: table.name, rows, of });
    const walk = walkOf(source, table, tell, from);
    copied.push(
      await walk((rows) =>
        into(() => writeRows(target.db, target.dialect, table, rows)).catch((error: unknown) => {
          throw refusedRows(error, table, rows);
        }),
      ),
    );
    if (table.counted === undefined) continue;
    const last = await from(() => readCounter(source.db, source.dialect, table));
    await into(() => writeCounter(target.db, target.dialect, table, last));
  }
  // An index built over all rows at once costs a fraction of one that grows by each.
  for (const day of eventDays) await into(() => indexDayTable(schema, day, target.dialect));
  for (const [index, table] of tables.entries()) {
    const of = copied[index]?.rows ?? 0;
    const tell = (rows: number) => onProgress?.({ doing: 'checking', table: table.name, rows, of });
    const found = await walkOf(target, table, tell, into)(async () => {});
    if (found.digest === copied[index]?.digest) continue;
    const row = await firstDifference(source, target, table);
    throw new StartError(
      `What was written is not what was read: table ${table.name}, row ${row}`,
      'Look for triggers and rules on the target that change rows; nothing of it was kept',
    );
  }
  return copied;
}

const keyOf = (row: Row | undefined, { key }: TablePlan) =>
  key.map(({ name }) => `${name} = ${row?.[name]}`).join(', ');

/** Where the row is to blame, and not a full disk or a server that went away. */
const atFault: ReadonlySet<StorageErrorKind> = new Set(['data', 'unique', 'foreign_key', 'other']);

/** What a database cannot hold, such as a NUL in PostgreSQL's text, is found by its place in the table. */
function refusedRows(error: unknown, table: TablePlan, rows: readonly Row[]): unknown {
  const kind = storageErrorKind(error);
  if (error instanceof StartError || kind === undefined || !atFault.has(kind)) return error;
  const [first, last] = [keyOf(rows[0], table), keyOf(rows.at(-1), table)];
  const reason = error instanceof Error ? error.message : String(error);
  return new StartError(
    `The target cannot hold a row of the table ${table.name} among those from ${first} to ${last} (${reason})`,
    'Correct or remove that row in the source; nothing was kept of what was written',
    { cause: error },
  );
}

type Guard = <T>(work: () => Promise<T>) => Promise<T>;

/** What breaks is explained in the terms of the side that it happened on. */
function guarded(explain: ((error: unknown) => unknown) | undefined): Guard {
  return async (work) => {
    try {
      return await work();
    } catch (error) {
      throw explain?.(error) ?? error;
    }
  };
}

const textOf = (row: Row, { columns }: TablePlan) => JSON.stringify(columns.map((column) => row[column]));

/** Reads a table to its end, counts and digests it, and hands each batch on. */
function walkOf(side: Side, table: TablePlan, tell: (rows: number) => void, guard: Guard) {
  return async (take: (rows: readonly Row[]) => Promise<void>): Promise<CarriedTable> => {
    const hash = createHash('sha256');
    const batches = readRows(side.db, side.dialect, table);
    let rows = 0;
    for (;;) {
      const { value: batch, done } = await guard(() => batches.next());
      if (done || batch === undefined) break;
      hash.update(`${batch.map((row) => textOf(row, table)).join('\n')}\n`);
      await take(batch);
      rows += batch.length;
      tell(rows);
    }
    return { name: table.name, rows, digest: hash.digest('hex') };
  };
}

async function* rowsOf(side: Side, table: TablePlan): AsyncGenerator<Row> {
  for await (const batch of readRows(side.db, side.dialect, table)) yield* batch;
}

/** @returns the key of the first row, in the order of the key, that only one side has or has otherwise */
async function firstDifference(source: Side, target: Side, table: TablePlan): Promise<string> {
  const [left, right] = [rowsOf(source, table), rowsOf(target, table)];
  for (;;) {
    const [a, b] = [(await left.next()).value, (await right.next()).value];
    const row = a ?? b;
    if (row === undefined) return 'unknown';
    if (a && b && textOf(a, table) === textOf(b, table)) continue;
    return keyOf(row, table);
  }
}
