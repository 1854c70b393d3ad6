/** Named values that rules write: TX, IP, SESSION. Names are matched without regard to case. */
export interface Collection {
  readonly entries: Map<string, CollectionEntry>;
}

export interface CollectionEntry {
  /** as first written */
  readonly key: string;
  readonly value: string;
}

/** An empty collection. */
export function createCollection(): Collection {
  return { entries: new Map() };
}

/** The value of that name, or undefined. */
export function readEntry(collection: Collection, key: string): string | undefined {
  return collection.entries.get(key.toLowerCase())?.value;
}

/** Sets a value; undefined deletes it. */
export function writeEntry(collection: Collection, key: string, value: string | undefined): void {
  const lower = key.toLowerCase();
  if (value === undefined) collection.entries.delete(lower);
  else collection.entries.set(lower, { key: collection.entries.get(lower)?.key ?? key, value });
}
