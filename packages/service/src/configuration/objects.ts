import type { Selectable } from 'kysely';
import type { z } from 'zod';
import { issuesOf } from '../http/index.ts';
import { invalid, type Outcome, success } from '../outcome.ts';
import { inSteps, type Steps } from '../steps.ts';
import type { ConfigObjectsTable, Db, Trx } from '../storage/index.ts';
import type { EntityChange } from './change.ts';
import { dropPieces, readPieces, writePieces } from './piece-table.ts';
import { InPieces, isLong, type ListAtHand, placesIn, sameValue } from './pieces.ts';

/** A stored object of the configuration: its value, where it belongs and who saved it last. */
export interface StoredObject<T> {
  readonly id: string;
  /** what it is a part of; null where it stands alone */
  readonly parentId: string | null;
  readonly value: T;
  /** rises with each saved change */
  readonly version: number;
  /** Unix milliseconds */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly updatedBy: string;
}

type Row = Selectable<ConfigObjectsTable>;

interface Parsed<T> {
  readonly text: string;
  readonly value: T;
  /** its long lists, by field */
  readonly lists: ReadonlyMap<string, ListAtHand>;
}

/** Entries of a long list that its schema looks at in one step. */
const checkedAtOnce = 500;

/** How often an object is read anew that is saved while it is read. */
const readings = 5;

/**
 * The stored objects of one kind. Each parsed object is kept until its text changes, so that a snapshot of a
 * large configuration parses only what a change touched.
 */
export class ObjectStore<T extends object> {
  readonly kind: string;
  readonly #schema: z.ZodType<T>;
  readonly #longFields: readonly string[];
  readonly #parsed = new Map<string, readonly Parsed<T>[]>();

  /** @param longFields lists of texts that may be long: those are kept in pieces */
  constructor(kind: string, schema: z.ZodType<T>, longFields: readonly string[] = []) {
    this.kind = kind;
    this.#schema = schema;
    this.#longFields = longFields;
  }

  async find(db: Db | Trx, id: string): Promise<StoredObject<T> | undefined> {
    const row = await this.#row(db, id);
    return row && this.#read(db, row);
  }

  /** Oldest first. @param parentId only what belongs to it; absent: all */
  async list(db: Db | Trx, parentId?: string): Promise<StoredObject<T>[]> {
    let query = db.selectFrom('config_objects').selectAll().where('kind', '=', this.kind);
    if (parentId !== undefined) query = query.where('parent_id', '=', parentId);
    const rows = await query.orderBy('created_at').orderBy('id').execute();
    if (parentId === undefined) this.#forgetAllBut(rows);
    const objects: StoredObject<T>[] = [];
    for (const row of rows) {
      const object = await this.#read(db, row);
      if (object) objects.push(object);
    }
    return objects;
  }

  /** Stores an object in place of what has its id. */
  async save(trx: Trx, object: StoredObject<T>): Promise<void> {
    const lists = await this.#writeLists(trx, object);
    // As it will be read, fields in the schema's order: an export before a restart is the one after it.
    const short = this.#schema.parse({ ...object.value, ...each(lists, () => []) });
    const config = JSON.stringify({ ...short, ...each(lists, ({ pieces }) => ({ pieces })) });
    const value = { ...short, ...each(lists, ({ list }) => list) };
    // Known by its text, so that nothing else is taken for it where the transaction is undone; what stood before is
    // kept beside it for that, as a rehearsed import is undone always.
    const known = this.#parsed.get(object.id)?.slice(0, 1) ?? [];
    this.#parsed.set(object.id, [{ text: config, value, lists }, ...known]);
    const row = {
      id: object.id,
      kind: this.kind,
      parent_id: object.parentId,
      config,
      version: object.version,
      created_at: object.createdAt,
      updated_at: object.updatedAt,
      updated_by: object.updatedBy,
    };
    await trx
      .insertInto('config_objects')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute();
  }

  /** @returns whether a value is what an object holds already */
  async holds(object: StoredObject<T>, value: T): Promise<boolean> {
    return inSteps(sameValue(object.value, value));
  }

  /**
   * @param value as an earlier release may have kept it
   * @returns it as this one does: fields that were learnt since have their defaults. Or all that is wrong with it today
   */
  async accept(value: object): Promise<Outcome<T>> {
    const long = this.#longFields.filter((field) => isLong(listIn(value, field)));
    const parsed = this.#schema.safeParse({
      ...value,
      ...Object.fromEntries(long.map((field) => [field, []])),
    });
    if (!parsed.success) return invalid(issuesOf(parsed.error));
    const lists: [string, string[]][] = [];
    for (const field of long) {
      const list = await inSteps(this.#acceptList({ ...value, ...parsed.data }, field, listIn(value, field)));
      if (!list.ok) return list;
      lists.push([field, list.value]);
    }
    return success({ ...parsed.data, ...Object.fromEntries(lists) });
  }

  *#acceptList(value: object, field: string, list: readonly string[]): Steps<Outcome<string[]>> {
    const accepted: string[] = [];
    const around = withoutLists(value);
    for (let from = 0; from < list.length; from += checkedAtOnce) {
      const some = this.#schema.safeParse({ ...around, [field]: list.slice(from, from + checkedAtOnce) });
      if (!some.success) return invalid(issuesOf(some.error));
      accepted.push(...listIn(some.data, field));
      yield;
    }
    return success(accepted);
  }

  async remove(trx: Trx, id: string): Promise<void> {
    if (this.#longFields.length > 0) await dropPieces(trx, [id]);
    await trx.deleteFrom('config_objects').where('kind', '=', this.kind).where('id', '=', id).execute();
  }

  /** What a history line keeps of a change. @param name how a person calls the object */
  change(name: string, before: StoredObject<T> | null, after: StoredObject<T> | null): EntityChange {
    return { kind: this.kind, id: (after ?? before)?.id ?? '', name, before, after };
  }

  async #row(db: Db | Trx, id: string): Promise<Row | undefined> {
    return db
      .selectFrom('config_objects')
      .selectAll()
      .where('kind', '=', this.kind)
      .where('id', '=', id)
      .executeTakeFirst();
  }

  async #writeLists(trx: Trx, { id, value }: StoredObject<T>): Promise<Map<string, ListAtHand>> {
    const lists = new Map<string, ListAtHand>();
    for (const field of this.#longFields) {
      const list = listIn(value, field);
      if (isLong(list)) {
        lists.set(field, { list, ...(await writePieces(trx, { owner: id, field }, list)) });
      } else await dropPieces(trx, [id], field);
    }
    return lists;
  }

  /** @returns undefined where it was deleted in the meantime */
  async #read(db: Db | Trx, row: Row): Promise<StoredObject<T> | undefined> {
    let read: Row | undefined = row;
    for (let tries = 0; read && tries < readings; tries += 1) {
      const parsed = await this.#parse(db, read);
      if (parsed) {
        this.#parsed.set(row.id, [parsed]);
        return objectOf(read, parsed.value);
      }
      read = await this.#row(db, row.id);
    }
    if (read) throw new Error(`The ${this.kind} ${row.id} lacks parts of its lists`);
    return undefined;
  }

  /** @returns undefined where its lists are those of another version by now */
  async #parse(db: Db | Trx, { id, config }: Row): Promise<Parsed<T> | undefined> {
    const known = this.#parsed.get(id) ?? [];
    const same = known.find(({ text }) => text === config);
    if (same) return same;
    const raw = JSON.parse(config) as Record<string, unknown>;
    const kept = this.#longFields.flatMap((field) => {
      const { data } = InPieces.safeParse(raw[field]);
      return data ? [[field, data] as const] : [];
    });
    const value = this.#schema.parse({ ...raw, ...Object.fromEntries(kept.map(([field]) => [field, []])) });
    const lists = new Map<string, ListAtHand>();
    for (const [field, inPieces] of kept) {
      const atHand = await inSteps(placesIn(known.flatMap((one) => one.lists.get(field) ?? [])));
      // The schema sees a piece at a time: a million entries in one would hold others up.
      const around = withoutLists(value);
      const check = (entries: string[]) => listIn(this.#schema.parse({ ...around, [field]: entries }), field);
      const list = await readPieces(db, { owner: id, field }, inPieces, { atHand, check });
      if (!list) return undefined;
      lists.set(field, { list, ...inPieces });
    }
    return { text: config, value: { ...value, ...each(lists, ({ list }) => list) }, lists };
  }

  #forgetAllBut(rows: readonly { readonly id: string }[]): void {
    const present = new Set(rows.map((row) => row.id));
    for (const id of this.#parsed.keys()) if (!present.has(id)) this.#parsed.delete(id);
  }
}

const each = <V>(lists: ReadonlyMap<string, ListAtHand>, made: (list: ListAtHand) => V) =>
  Object.fromEntries([...lists].map(([field, list]) => [field, made(list)]));

/** What a piece of a long list is looked at with, a thousand times over. */
const withoutLists = (value: object) =>
  Object.fromEntries(Object.entries(value).map(([name, held]) => [name, Array.isArray(held) ? [] : held]));

const listIn = (value: object, field: string) => (value as Record<string, string[]>)[field] ?? [];

function objectOf<T>(row: Row, value: T): StoredObject<T> {
  return {
    id: row.id,
    parentId: row.parent_id,
    value,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    updatedBy: row.updated_by,
  };
}

/** A new object, first version. */
export function newObject<T>(
  id: string,
  parentId: string | null,
  value: T,
  author: { readonly email: string },
  now: number,
): StoredObject<T> {
  return { id, parentId, value, version: 1, createdAt: now, updatedAt: now, updatedBy: author.email };
}

/** The next version of an object. */
export function nextVersion<T>(
  before: StoredObject<T>,
  value: T,
  author: { readonly email: string },
  now: number,
): StoredObject<T> {
  return { ...before, value, version: before.version + 1, updatedAt: now, updatedBy: author.email };
}
