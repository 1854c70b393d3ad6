import { sql } from 'kysely';
import {
  type ClassColumn,
  classColumns,
  classKey,
  classSeparator,
  type Db,
  type Storage,
  type Trx,
} from '../storage/index.ts';
import { type RowFilter, tellsClasses } from './filter.ts';
import type { EventRow } from './insert-rows.ts';

/** Keeps which classes a day has. In their order, so that two writers never wait for each other's. */
export async function keepClasses(trx: Trx, day: number, rows: readonly EventRow[]): Promise<void> {
  const classes = [...new Set(rows.map(classKey))].sort();
  if (classes.length === 0) return;
  await trx
    .insertInto('event_classes')
    .values(classes.map((name) => ({ day, name })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** @returns which classes of a day's events fit; undefined where the filter does not tell classes apart */
export async function classesOf(
  { read, dialect, day }: { readonly read: Db; readonly dialect: Storage['dialect']; readonly day: number },
  filter: RowFilter,
): Promise<string[] | undefined> {
  if (!tellsClasses(filter)) return undefined;
  const site = filter.classes.find(({ name }) => name === 'site_id')?.values[0];
  const start = site === undefined ? '' : `${site}${classSeparator}`;
  // As one text, since a row of its own for each of some thousand names costs ten times as much.
  const list = sql.raw(dialect === 'postgres' ? 'json_agg(name)::text' : 'json_group_array(name)');
  const { rows } = await sql<{ names: string | null }>`select ${list} as names from event_classes
    where day = ${day} and substr(name, 1, ${start.length}) = ${start}`.execute(read);
  const names = JSON.parse(rows[0]?.names ?? '[]') as string[];
  return names.filter((name) => fits(name, filter));
}

function fits(key: string, { classes, withCategory }: RowFilter): boolean {
  const parts = key.split(classSeparator);
  const partOf = (name: ClassColumn) => {
    const at = classColumns.indexOf(name);
    const toEnd = at === classColumns.length - 1;
    return toEnd ? parts.slice(at).join(classSeparator) : (parts[at] ?? '');
  };
  if (withCategory && partOf('category') === '') return false;
  return classes.every(({ name, values }) => values.includes(partOf(name)));
}
