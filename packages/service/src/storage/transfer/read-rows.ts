import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../connect.ts';
import type { StorageDialect } from '../migrations/index.ts';
import type { TablePlan } from './plan.ts';

/** A stored row: text, whole numbers and nothing else. */
export type Row = Readonly<Record<string, string | number | null>>;

/** Rows of a table differ in size from some bytes to an address list's megabytes, so a batch is bounded by both. */
const rowsAtOnce = 2000;
const charactersAtOnce = 2_000_000;

/** @returns how many rows to ask for next, so that a batch stays near its bound; at most four times as many as before */
function nextSize(rows: readonly Row[], size: number): number {
  const characters = rows.reduce((sum, row) => {
    let own = 0;
    for (const value of Object.values(row)) own += typeof value === 'string' ? value.length : 8;
    return sum + own;
  }, 1);
  const fitting = Math.floor((charactersAtOnce * rows.length) / characters);
  return Math.max(1, Math.min(fitting, size * 4, rowsAtOnce));
}

const columnsOf = ({ columns }: TablePlan) => sql.join(columns.map((name) => sql.ref(name)));

/**
 * Reads a table by its primary key, batch after batch, in constant memory. Text goes by its bytes on both databases,
 * whatever the collation of PostgreSQL's is.
 * @param db on PostgreSQL a transaction, in which the cursor lives
 */
export async function* readRows(
  db: Db | Trx,
  dialect: StorageDialect,
  table: TablePlan,
): AsyncGenerator<readonly Row[], void, undefined> {
  const walk = dialect === 'postgres' ? withCursor(db, table) : byKey(db, table);
  yield* walk;
}

async function* withCursor(db: Db | Trx, table: TablePlan): AsyncGenerator<readonly Row[]> {
  const cursor = sql.raw(`carry_${table.name}`);
  const order = table.key.map(
    ({ name, text }) => sql`${sql.ref(name)}${sql.raw(text ? ' collate "C"' : '')}`,
  );
  await sql`declare ${cursor} no scroll cursor for
    select ${columnsOf(table)} from ${sql.table(table.name)} order by ${sql.join(order)}`.execute(db);
  for (let size = 16; ; ) {
    const { rows } = await sql<Row>`fetch ${sql.raw(String(size))} from ${cursor}`.execute(db);
    if (rows.length === 0) break;
    size = nextSize(rows, size);
    yield rows;
  }
  await sql`close ${cursor}`.execute(db);
}

async function* byKey(db: Db | Trx, table: TablePlan): AsyncGenerator<readonly Row[]> {
  const key = sql.join(table.key.map(({ name }) => sql.ref(name)));
  let after: RawBuilder<unknown> = sql``;
  for (let size = 16; ; ) {
    const { rows } = await sql<Row>`
      select ${columnsOf(table)} from ${sql.table(table.name)} ${after} order by ${key} limit ${size}`.execute(
      db,
    );
    const last = rows.at(-1);
    if (!last) return;
    after = sql`where (${key}) > (${sql.join(table.key.map(({ name }) => last[name] ?? null))})`;
    size = nextSize(rows, size);
    yield rows;
  }
}

/** @returns how many rows a table has */
export async function countRows(db: Db | Trx, table: TablePlan): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table.name)}`.execute(db);
  return rows[0]?.n ?? 0;
}
