import type { Selectable } from 'kysely';
import type { z } from 'zod';
import { inSteps, longJson } from '../steps.ts';
import type { ConfigObjectsTable, Db, Trx } from '../storage/index.ts';
import type { EntityChange } from './change.ts';

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

interface Parsed<T> {
  readonly text: string;
  readonly value: T;
}

/**
 * The stored objects of one kind. Each parsed object is kept until its text changes, so that a snapshot of a
 * large configuration parses only what a change touched.
 */
export class ObjectStore<T extends object> {
  readonly kind: string;
  readonly #schema: z.ZodType<T>;
  readonly #parsed = new Map<string, readonly Parsed<T>[]>();

  constructor(kind: string, schema: z.ZodType<T>) {
    this.kind = kind;
    this.#schema = schema;
  }

  async find(db: Db | Trx, id: string): Promise<StoredObject<T> | undefined> {
    const row = await db
      .selectFrom('config_objects')
      .selectAll()
      .where('kind', '=', this.kind)
      .where('id', '=', id)
      .executeTakeFirst();
    return row && this.#read(row);
  }

  /** Oldest first. @param parentId only what belongs to it; absent: all */
  async list(db: Db | Trx, parentId?: string): Promise<StoredObject<T>[]> {
    let query = db.selectFrom('config_objects').selectAll().where('kind', '=', this.kind);
    if (parentId !== undefined) query = query.where('parent_id', '=', parentId);
    const rows = await query.orderBy('created_at').orderBy('id').execute();
    if (parentId === undefined) this.#forgetAllBut(rows);
    return rows.map((row) => this.#read(row));
  }

  /** Stores an object in place of what has its id. */
  async save(trx: Trx, object: StoredObject<T>): Promise<void> {
    const config = await inSteps(longJson(object.value));
    // Known by its text, so that nothing else is taken for it where the transaction is undone; what stood before is
    // kept beside it for that, as a rehearsed import is undone always.
    const known = this.#parsed.get(object.id)?.slice(0, 1) ?? [];
    this.#parsed.set(object.id, [{ text: config, value: object.value }, ...known]);
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
    return (await inSteps(longJson(object.value))) === (await inSteps(longJson(value)));
  }

  async remove(trx: Trx, id: string): Promise<void> {
    await trx.deleteFrom('config_objects').where('kind', '=', this.kind).where('id', '=', id).execute();
  }

  /** What a history line keeps of a change. @param name how a person calls the object */
  change(name: string, before: StoredObject<T> | null, after: StoredObject<T> | null): EntityChange {
    return { kind: this.kind, id: (after ?? before)?.id ?? '', name, before, after };
  }

  #read(row: Selectable<ConfigObjectsTable>): StoredObject<T> {
    const known = this.#parsed.get(row.id)?.find(({ text }) => text === row.config);
    const value = known ? known.value : this.#schema.parse(JSON.parse(row.config));
    this.#parsed.set(row.id, [{ text: row.config, value }]);
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

  #forgetAllBut(rows: readonly { readonly id: string }[]): void {
    const present = new Set(rows.map((row) => row.id));
    for (const id of this.#parsed.keys()) if (!present.has(id)) this.#parsed.delete(id);
  }
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
