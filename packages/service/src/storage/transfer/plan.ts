import { Kysely, sql } from 'kysely';
import { createDayTable, dayTableName } from '../day-tables.ts';
import { migrateToLatest } from '../migrate.ts';
import type { StorageMigration } from '../migrations/index.ts';
import { SqliteThreadDialect } from '../sqlite/dialect.ts';

/** How one table is read in order and written again. */
export interface TablePlan {
  readonly name: string;
  readonly columns: readonly string[];
  /** columns of the primary key, in its order */
  readonly key: readonly { readonly name: string; readonly text: boolean }[];
  /** the column that the database counts up by itself; absent where there is none */
  readonly counted: string | undefined;
}

/** The tables of a schema, those that others refer to first. */
export interface SchemaPlan {
  readonly tables: readonly TablePlan[];
  /** @param day UTC as YYYYMMDD. @returns the table of its events */
  eventsOf(day: number): TablePlan;
}

/** A lease names a process that runs on the one database; on another it would only be in the way. */
const staysBehind = new Set(['leases']);
const shapeDay = 0;

interface ColumnRow {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly position: number;
  readonly counts: number;
}

/**
 * Reads the tables of a schema off an empty database in memory that takes the same steps, so that a table of a later
 * step is carried without anybody's remembering it, and tables of other programs in the same PostgreSQL are not.
 */
export async function planOf(steps: readonly StorageMigration[]): Promise<SchemaPlan> {
  const dialect = new SqliteThreadDialect({ file: ':memory:', readOnly: false });
  const db = new Kysely<never>({ dialect });
  try {
    await migrateToLatest(db, 'sqlite', steps);
    await createDayTable(db as unknown as Kysely<unknown>, shapeDay, 'sqlite');
    const shape = dayTableName(shapeDay);
    const all = inOrder(await tablesIn(db), await referencesIn(db));
    const events = all.find(({ name }) => name === shape);
    if (!events) throw new Error('The table of a day was not made');
    return {
      tables: all.filter(({ name }) => name !== shape && !staysBehind.has(name)),
      eventsOf: (day) => ({ ...events, name: dayTableName(day) }),
    };
  } finally {
    await db.destroy();
  }
}

async function tablesIn(db: Kysely<never>): Promise<TablePlan[]> {
  const { rows } = await sql<ColumnRow>`
    select m.name as "table", p.name, p.type, p.pk as position, m.sql like '%autoincrement%' as counts
    from sqlite_schema m join pragma_table_info(m.name) p
    where m.type = 'table' and m.name not like 'sqlite%' and m.name not like 'kysely%'
    order by m.name, p.cid`.execute(db);
  const tables = Map.groupBy(rows, ({ table }) => table);
  return [...tables].map(([name, columns]) => {
    const key = columns.filter(({ position }) => position > 0).sort((a, b) => a.position - b.position);
    return {
      name,
      columns: columns.map((column) => column.name),
      key: key.map((column) => ({ name: column.name, text: column.type.toLowerCase() === 'text' })),
      counted: key.find(({ counts }) => counts === 1)?.name,
    };
  });
}

interface Reference {
  readonly child: string;
  readonly parent: string;
}

async function referencesIn(db: Kysely<never>): Promise<Reference[]> {
  const { rows } = await sql<Reference>`
    select m.name as child, f."table" as parent
    from sqlite_schema m join pragma_foreign_key_list(m.name) f where m.type = 'table'`.execute(db);
  return rows;
}

/** Parents first, since a row cannot be written before the one that it refers to. */
function inOrder(tables: readonly TablePlan[], references: readonly Reference[]): TablePlan[] {
  const placed = new Map<string, TablePlan>();
  const place = (table: TablePlan) => {
    if (placed.has(table.name)) return;
    for (const { parent } of references.filter(({ child }) => child === table.name)) {
      const found = tables.find(({ name }) => name === parent);
      if (found && found !== table) place(found);
    }
    placed.set(table.name, table);
  };
  for (const table of tables) place(table);
  return [...placed.values()];
}
