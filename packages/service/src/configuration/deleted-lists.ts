import { sql } from 'kysely';
import type { Db, Trx } from '../storage/index.ts';
import type { EntityChange } from './change.ts';
import { contentOf, type KeptChange, withContent, without } from './kept-change.ts';
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

/** @returns a change with the lists that {@link setAside} took out of it */
export async function withAside(db: Db | Trx, version: number, change: KeptChange): Promise<KeptChange> {
  const { pieces, ...rest } = change;
  if (pieces === undefined) return change;
  const content = { ...contentOf(change.before) };
  for (const [field, kept] of Object.entries(pieces)) {
    const list = await readPieces(db, placeOf(version, change, field), kept);
    if (!list) throw new Error(`Version ${version} of the configuration has lost a list that it deleted`);
    content[field] = list;
  }
  return { ...rest, before: withContent(change.before, content) };
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
