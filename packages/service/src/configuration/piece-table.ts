import { z } from 'zod';
import { fill, inSteps, type Steps } from '../steps.ts';
import type { Db, Trx } from '../storage/index.ts';
import { type InPieces, inPieces, type Place, textOf } from './pieces.ts';

/** Whose list it is, and which of its lists. */
export interface ListPlace {
  readonly owner: string;
  readonly field: string;
}

/** Pieces that are written or read by one statement: half a megabyte. */
const piecesAtOnce = 32;
/** Names that go with one statement. */
const namesAtOnce = 500;

const Entries = z.array(z.string());

function* portions<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size);
}

async function storedIds(trx: Trx, { owner, field }: ListPlace): Promise<Set<string>> {
  const rows = await trx
    .selectFrom('config_pieces')
    .select('id')
    .where('owner', '=', owner)
    .where('field', '=', field)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Writes a list in place of what its owner had there: only pieces that it had not. @returns how it is kept */
export async function writePieces(trx: Trx, place: ListPlace, list: readonly string[]): Promise<InPieces> {
  const cut = await inSteps(inPieces(list));
  const gone = await storedIds(trx, place);
  const missing: [id: string, from: number, length: number][] = [];
  const needed = new Set(cut.pieces.map(([id]) => id));
  let from = 0;
  for (const [id, length] of cut.pieces) {
    if (!gone.has(id)) missing.push([id, from, length]);
    from += length;
  }
  for (const some of portions(missing, piecesAtOnce)) {
    const rows = await inSteps(rowsOf(place, list, some));
    await trx
      .insertInto('config_pieces')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  for (const ids of portions(
    [...gone].filter((id) => !needed.has(id)),
    namesAtOnce,
  )) {
    await trx
      .deleteFrom('config_pieces')
      .where('owner', '=', place.owner)
      .where('field', '=', place.field)
      .where('id', 'in', ids)
      .execute();
  }
  return cut;
}

function* rowsOf(
  place: ListPlace,
  list: readonly string[],
  pieces: readonly (readonly [id: string, from: number, length: number])[],
): Steps<(ListPlace & { id: string; entries: string })[]> {
  const rows: (ListPlace & { id: string; entries: string })[] = [];
  for (const [id, from, length] of pieces) {
    rows.push({ ...place, id, entries: textOf(list, from, length) });
    yield;
  }
  return rows;
}

/** How a list is put together again. */
export interface Reading {
  /** pieces that need not be read */
  readonly atHand: ReadonlyMap<string, Place>;
  /** @returns the entries of a piece, checked. Throws where they are none */
  check(entries: string[]): readonly string[];
}

const unknownYet: Reading = { atHand: new Map(), check: (entries) => entries };

/** @returns the list; undefined where pieces of it are gone, for it was saved anew in the meantime */
export async function readPieces(
  db: Db | Trx,
  { owner, field }: ListPlace,
  { pieces }: InPieces,
  { atHand, check }: Reading = unknownYet,
): Promise<string[] | undefined> {
  const list = new Array<string>(pieces.reduce((sum, [, length]) => sum + length, 0));
  let at = 0;
  for (const some of portions(pieces, piecesAtOnce)) {
    const ids = some.map(([id]) => id).filter((id) => !atHand.has(id));
    const rows =
      ids.length === 0
        ? []
        : await db
            .selectFrom('config_pieces')
            .select(['id', 'entries'])
            .where('owner', '=', owner)
            .where('field', '=', field)
            .where('id', 'in', ids)
            .execute();
    const texts = new Map(rows.map(({ id, entries }) => [id, entries]));
    const end = await inSteps(putTogether(list, at, some, { atHand, check }, texts));
    if (end === undefined) return undefined;
    at = end;
  }
  // A schema may read entries as fewer.
  list.length = at;
  return list;
}

/** @returns where the next piece begins; undefined where one is gone */
function* putTogether(
  list: string[],
  from: number,
  pieces: InPieces['pieces'],
  { atHand, check }: Reading,
  texts: ReadonlyMap<string, string>,
): Steps<number | undefined> {
  let at = from;
  for (const [id, length] of pieces) {
    const [known, start] = atHand.get(id) ?? [];
    const text = texts.get(id);
    let entries: readonly string[];
    if (known && start !== undefined) entries = known.slice(start, start + length);
    else if (text !== undefined) entries = check(Entries.parse(JSON.parse(text)));
    else return undefined;
    yield* fill(list, at, entries);
    at += entries.length;
    yield;
  }
  return at;
}

/** Deletes lists of some owners. @param field one of each; absent: all */
export async function dropPieces(trx: Trx, owners: readonly string[], field?: string): Promise<void> {
  let drop = trx.deleteFrom('config_pieces').where('owner', 'in', owners);
  if (field !== undefined) drop = drop.where('field', '=', field);
  await drop.execute();
}
