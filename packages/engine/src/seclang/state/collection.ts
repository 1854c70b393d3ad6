/** Named values that rules write: TX, IP, SESSION. Names are matched without regard to case. */
export interface Collection {
  readonly entries: Map<string, CollectionEntry>;
  /** a rule has written to it in this request */
  changed: boolean;
  /** of one that outlives its request: 64 entries, and 256 characters for a name or a value */
  readonly bounded: boolean;
}

export interface CollectionEntry {
  /** as first written */
  readonly key: string;
  readonly value: string;
  /** milliseconds since 1970 from which it is no longer there; set by expirevar */
  readonly expiresAtMs?: number;
}

const maxEntries = 64;
const maxText = 256;

/** An empty collection. */
export function createCollection(bounded = false): Collection {
  return { entries: new Map(), changed: false, bounded };
}

/** The value of that name, or undefined. */
export function readEntry(collection: Collection, key: string): string | undefined {
  return collection.entries.get(key.toLowerCase())?.value;
}

/** Sets a value; undefined deletes it. A bounded collection that is full takes no new name. */
export function writeEntry(collection: Collection, key: string, value: string | undefined): void {
  collection.changed = true;
  if (value === undefined) collection.entries.delete(key.toLowerCase());
  else if (collection.bounded) writeBounded(collection, key.slice(0, maxText), value.slice(0, maxText));
  else {
    const lower = key.toLowerCase();
    collection.entries.set(lower, { key: collection.entries.get(lower)?.key ?? key, value });
  }
}

function writeBounded({ entries }: Collection, key: string, value: string): void {
  const lower = key.toLowerCase();
  const before = entries.get(lower);
  if (before) entries.set(lower, { ...before, value });
  else if (entries.size < maxEntries) entries.set(lower, { key, value });
}

/** Lets a value end at a time; nothing where there is no such value. @param atMs since 1970 */
export function expireEntry(collection: Collection, key: string, atMs: number): void {
  const lower = key.toLowerCase();
  const entry = collection.entries.get(lower);
  if (entry) collection.entries.set(lower, { ...entry, expiresAtMs: atMs });
  collection.changed = true;
}
