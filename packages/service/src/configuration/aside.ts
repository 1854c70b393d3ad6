import { sql } from 'kysely';
import { inSteps, joined, type Steps } from '../steps.ts';
import type { Db, Trx } from '../storage/index.ts';
import type { EntityChange } from './change.ts';
import { contentOf, type KeptChange, withContent, without } from './kept-change.ts';
import type { ListChange, Run } from './long-lists.ts';
import { readPieces, writePieces } from './piece-table.ts';
import { type InPieces, isLong } from './pieces.ts';

const ownerOf = (version: number | '') => `version ${version}`;

const placeOf = (version: number, { kind, id }: EntityChange, field: string) => ({
  owner: ownerOf(version),
  field: `${kind} ${id} ${field}`,
});

/** @returns a deletion as the history keeps it: its long lists in pieces, for nothing else tells of them */
export async function setAside(trx: Trx, version: number, change: EntityChange): Promise<KeptChange> {
  const pieces: Record<string, InPieces> = {};
  for (const [field, value] of Object.entries(contentOf(change.before))) {
    if (isLong(value) && value.every((entry) => typeof entry === 'string'))
      pieces[field] = await writePieces(trx, placeOf(version, change, field), value);
  }
  const fields = Object.keys(pieces);
  return fields.length === 0 ? change : { ...change, before: without(change.before, fields), pieces };
}

/** How much of a list may have changed for its row to tell of it, in entries and runs of them. */
const toldInRow = 4096;

/** How a list changed where that is much: what went, and where what went and came stood, as lists of their own. */
interface ListChangeAside extends Pick<ListChange, 'lengths' | 'came'> {
  readonly went: InPieces;
  /** each a sign, a place and a length: `-17 3`, `+20 1` */
  readonly runs: InPieces;
}

/** A change as its row keeps it. */
export interface StoredChange extends Omit<KeptChange, 'lists'> {
  readonly lists?: Readonly<Record<string, ListChange | ListChangeAside>>;
}

/** @returns a change as its row keeps it: a feed that names a million other addresses would make one of megabytes */
export async function setRunsAside(trx: Trx, version: number, change: KeptChange): Promise<StoredChange> {
  if (!change.lists) return change;
  const lists: Record<string, ListChange | ListChangeAside> = {};
  for (const [field, list] of Object.entries(change.lists)) {
    const { removed, added, lengths, came } = list;
    const length = removed.reduce((sum, [, entries]) => sum + entries.length, 0);
    if (length + removed.length + added.length < toldInRow) {
      lists[field] = list;
      continue;
    }
    const went = await inSteps(
      joined(
        removed.map(([, entries]) => entries),
        length,
      ),
    );
    const runs = await inSteps(textsOf(list));
    const place = placeOf(version, change, field);
    lists[field] = {
      lengths,
      came,
      went: await writePieces(trx, { ...place, field: `${place.field} went` }, went),
      runs: await writePieces(trx, { ...place, field: `${place.field} runs` }, runs),
    };
  }
  return { ...change, lists };
}

function* textsOf({ removed, added }: ListChange): Steps<string[]> {
  const texts = new Array<string>(removed.length + added.length);
  for (const [at, [place, entries]] of removed.entries()) {
    texts[at] = `-${place} ${entries.length}`;
    if (at % runsAtOnce === 0) yield;
  }
  for (const [at, [place, length]] of added.entries()) {
    texts[removed.length + at] = `+${place} ${length}`;
    if (at % runsAtOnce === 0) yield;
  }
  return texts;
}

const runsAtOnce = 500;

function* runsOf(
  texts: readonly string[],
  went: readonly string[],
): Steps<Pick<ListChange, 'removed' | 'added'>> {
  const removed: Run[] = [];
  const added: [number, number][] = [];
  let from = 0;
  for (const [at, text] of texts.entries()) {
    const [place = 0, length = 0] = text.slice(1).split(' ').map(Number);
    if (text.startsWith('+')) added.push([place, length]);
    else {
      removed.push([place, length === went.length ? went : went.slice(from, from + length)]);
      from += length;
    }
    if (at % runsAtOnce === 0) yield;
  }
  return { removed, added };
}

/** @returns a change with the lists that {@link setAside} and {@link setRunsAside} took out of it */
export async function withAside(db: Db | Trx, version: number, change: StoredChange): Promise<KeptChange> {
  const read = async (field: string, kept: InPieces) => {
    const list = await readPieces(db, placeOf(version, change, field), kept);
    if (!list) throw new Error(`Version ${version} of the configuration has lost a list that it changed`);
    return list;
  };
  const { pieces = {}, lists: stored, ...rest } = change;
  const content = { ...contentOf(change.before) };
  for (const [field, kept] of Object.entries(pieces)) content[field] = await read(field, kept);
  const before = Object.keys(pieces).length > 0 ? withContent(change.before, content) : change.before;
  if (!stored) return { ...rest, before };
  const lists: Record<string, ListChange> = {};
  for (const [field, list] of Object.entries(stored)) {
    if ('removed' in list) {
      lists[field] = list;
      continue;
    }
    const went = await read(`${field} went`, list.went);
    const texts = await read(`${field} runs`, list.runs);
    const { lengths, came } = list;
    lists[field] = { lengths, came, ...(await inSteps(runsOf(texts, went))) };
  }
  return { ...rest, before, lists };
}

/**
 * Drops what versions that are gone kept of deletions, and lists of things that are gone. A service of an earlier
 * release drops both without their pieces.
 */
export async function dropOrphans(trx: Trx): Promise<void> {
  await trx
    .deleteFrom('config_pieces')
    .where('owner', 'not in', (query) => query.selectFrom('config_objects').select('id'))
    .where('owner', 'not in', (query) =>
      query.selectFrom('config_versions').select(sql<string>`${ownerOf('')} || version`.as('owner')),
    )
    .execute();
}
