import { type Collection, createCollection, readEntry, writeEntry } from './collection.ts';

/**
 * What rules remember from one request to the next (initcol, setsid, setuid, setrsc): a collection for each
 * client, session or user. In memory of whoever holds it, and bounded: the collection that was asked for
 * longest ago goes first.
 */
export interface KeptCollections {
  /** The collection of that name and key, without what has expired by then; a new one where there is none. */
  open(name: string, key: string, times: CollectionTimes): Collection;
  /** Keeps what a request has changed. */
  close(name: string, key: string, collection: Collection, nowMs: number): void;
  /** how many are kept */
  readonly size: number;
}

export interface CollectionTimes {
  /** milliseconds since 1970 */
  readonly nowMs: number;
  /** SecCollectionTimeout: a collection that nobody has changed for so long is forgotten */
  readonly timeoutSeconds: number;
}

interface Kept {
  readonly collection: Collection;
  readonly endsAtMs: number;
}

const maxKey = 256;

/** @param maxCollections how many are kept at most */
export function createKeptCollections({ maxCollections = 10_000 } = {}): KeptCollections {
  const kept = new Map<string, Kept>();
  const placeOf = (name: string, key: string) => `${name} ${key.slice(0, maxKey)}`;
  return {
    open(name, key, times) {
      const place = placeOf(name, key);
      const known = kept.get(place);
      kept.delete(place);
      if (!known || known.endsAtMs <= times.nowMs) return begin(key, times);
      kept.set(place, known);
      return resume(known.collection, times.nowMs);
    },
    close(name, key, collection, nowMs) {
      const place = placeOf(name, key);
      const endsAtMs = nowMs + Number(readEntry(collection, 'TIMEOUT') ?? 0) * 1000;
      kept.delete(place);
      kept.set(place, { collection: updated(collection, nowMs), endsAtMs });
      for (const oldest of kept.keys()) {
        if (kept.size <= maxCollections) break;
        kept.delete(oldest);
      }
    },
    get size() {
      return kept.size;
    },
  };
}

const seconds = (ms: number) => Math.floor(ms / 1000);

/** A new collection with the values that ModSecurity puts into each. */
function begin(key: string, { nowMs, timeoutSeconds }: CollectionTimes): Collection {
  const collection = createCollection(true);
  const now = String(seconds(nowMs));
  const given = [
    ['KEY', key],
    ['IS_NEW', '1'],
    ['CREATE_TIME', now],
    ['LAST_UPDATE_TIME', now],
    ['TIMEOUT', String(timeoutSeconds)],
    ['UPDATE_COUNTER', '0'],
    ['UPDATE_RATE', '0'],
  ] as const;
  for (const [name, value] of given) writeEntry(collection, name, value);
  collection.changed = false;
  return collection;
}

function resume(collection: Collection, nowMs: number): Collection {
  for (const [lower, { expiresAtMs }] of collection.entries) {
    if (expiresAtMs !== undefined && expiresAtMs <= nowMs) collection.entries.delete(lower);
  }
  writeEntry(collection, 'IS_NEW', '0');
  collection.changed = false;
  return collection;
}

function updated(collection: Collection, nowMs: number): Collection {
  const updates = Number(readEntry(collection, 'UPDATE_COUNTER') ?? 0) + 1;
  const minutes = (seconds(nowMs) - Number(readEntry(collection, 'CREATE_TIME') ?? 0)) / 60;
  writeEntry(collection, 'UPDATE_COUNTER', String(updates));
  writeEntry(collection, 'UPDATE_RATE', String(minutes > 0 ? Math.floor(updates / minutes) : updates));
  writeEntry(collection, 'LAST_UPDATE_TIME', String(seconds(nowMs)));
  return collection;
}
