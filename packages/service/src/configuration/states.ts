import type { Db, Trx } from '../storage/index.ts';
import { findVersion, readChanges, touchesOf, versionLines } from './history.ts';
import { type KeptChange, stateBefore } from './kept-change.ts';

/** How one thing stood at a version: null where it did not exist then. */
export interface EntityState {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
  readonly state: unknown;
}

/** How a thing stands now, as history lines keep it; null where it does not exist. */
export type ReadPresent = (kind: string, id: string) => Promise<unknown>;

/** Lines that are read at once: those of an earlier release are as large as what they changed. */
const linesAtOnce = 50;

interface Thing {
  readonly kind: string;
  readonly id: string;
  /** the versions that changed it, newest first */
  readonly versions: number[];
}

/** Which things changed after a version, and in which versions. */
async function touchedAfter(db: Db | Trx, version: number): Promise<Thing[]> {
  const things = new Map<string, Thing>();
  for (let below = 2 ** 31 - 1; ; ) {
    const lines = await versionLines(db)
      .where('version', '>', version)
      .where('version', '<', below)
      .orderBy('version', 'desc')
      .limit(linesAtOnce)
      .execute();
    for (const line of lines) {
      for (const { kind, id } of touchesOf(line)) {
        const key = keyOf({ kind, id });
        const thing = things.get(key) ?? { kind, id, versions: [] };
        things.set(key, thing);
        if (thing.versions.at(-1) !== line.version) thing.versions.push(line.version);
      }
    }
    below = lines.at(-1)?.version ?? below;
    if (lines.length < linesAtOnce) return [...things.values()];
  }
}

async function changesIn(db: Db | Trx, version: number): Promise<KeptChange[]> {
  const row = await findVersion(db, version);
  return row ? readChanges(db, row) : [];
}

const keyOf = ({ kind, id }: Pick<Thing, 'kind' | 'id'>) => `${kind} ${id}`;

/** A long list of before is made of the one of today, one change after the other. */
async function unwind(db: Db | Trx, thing: Thing, present: unknown): Promise<unknown> {
  let state = present;
  for (const version of thing.versions) {
    const changes = (await changesIn(db, version)).filter((one) => keyOf(one) === keyOf(thing));
    for (const change of changes.reverse()) state = await stateBefore(change, state);
  }
  return state;
}

/**
 * Everything that changed after a version, as it stood at it: of each thing the oldest `before` among the later
 * versions. Only versions that are needed for it are read whole, one after the other.
 * @returns undefined where a thing no longer is what the history led to, so that nothing tells how it stood
 */
export async function statesAt(
  db: Db | Trx,
  version: number,
  readPresent: ReadPresent,
): Promise<EntityState[] | undefined> {
  const states: EntityState[] = [];
  const byOldest = Map.groupBy(await touchedAfter(db, version), ({ versions }) => versions.at(-1) ?? 0);
  for (const [oldest, things] of byOldest) {
    const changes = new Map<string, KeptChange>();
    // The first of a version that names a thing is how it stood before all of that version.
    for (const change of (await changesIn(db, oldest)).reverse()) changes.set(keyOf(change), change);
    for (const thing of things) {
      const { kind, id } = thing;
      const change = changes.get(keyOf(thing));
      if (!change) continue;
      const state = change.lists ? await unwind(db, thing, await readPresent(kind, id)) : change.before;
      if (state === undefined) return undefined;
      states.push({ kind, id, name: change.name, state });
    }
  }
  return states;
}
