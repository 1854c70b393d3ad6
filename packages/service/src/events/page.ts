import { type RawBuilder, sql } from 'kysely';
import { readsEveryRow } from './filter.ts';
import { bottomOf, newestOf, type Place, sliceOf, type Walk, type Walks } from './walk.ts';

/** A row of a page. */
export interface PageRow extends Place {
  /** JSON of the event */
  readonly body: string;
}

/** Some of a day's rows that fit, newest first, and where the next ones are below. */
export interface Stretch {
  readonly rows: PageRow[];
  /** undefined: the day has no more */
  readonly end: Place | undefined;
}

/** Rows that one statement reads at most where each is looked at, so that other readers get their turn. */
const sliceRows = 5000;

/** So few classes are walked at once as far as the page needs, where that reads rows and not the index alone. */
const few = 32;

/** Beyond this many a walk of each costs more than reading all. */
const many = 500;

async function readRows(
  walk: Walk,
  below: Place | undefined,
  wanted: number,
  perWalk: number,
  bottom?: Place,
): Promise<PageRow[]> {
  return readFrom(walk, sliceOf(walk, { below, bottom, perWalk }), wanted);
}

/** @param from what stands after `from` in the statement */
async function readFrom({ read }: Walk, from: RawBuilder<unknown>, wanted: number): Promise<PageRow[]> {
  const { rows } = await sql<PageRow>`
    select e.time, e.seq, e.body from ${from}
    order by e.time desc, e.seq desc limit ${wanted}`.execute(read);
  return rows;
}

/** A slice of bounded depth: all that fits in it, or as much as is wanted. */
async function readSlice(
  walk: Walk,
  below: Place | undefined,
  wanted: number,
  perWalk: number,
): Promise<Stretch> {
  const bottom = await bottomOf(walk, below, perWalk);
  const rows = await readRows(walk, below, wanted, perWalk, bottom);
  return { rows, end: rows.length === wanted ? rows.at(-1) : bottom };
}

/** As many rows of each walk as the page wants are enough for the page. */
async function readWhole(walk: Walk, below: Place | undefined, wanted: number): Promise<Stretch> {
  const newest = newestOf(walk, below, wanted);
  const rows = newest ? await readFrom(walk, newest, wanted) : await readRows(walk, below, wanted, wanted);
  return { rows, end: rows.length === wanted ? rows.at(-1) : undefined };
}

/** A slice takes about this long: it grows where rows are few and shrinks where they are large. */
const sliceMs = { least: 30, most: 100 };

/** Every row is looked at, in slices. */
async function* inSlices(
  walk: Walk,
  start: Place | undefined,
  wanted: () => number,
): AsyncGenerator<Stretch> {
  let below = start;
  let perWalk = Math.ceil(sliceRows / (walk.classes?.length ?? 1));
  do {
    const began = performance.now();
    const stretch = await readSlice(walk, below, wanted(), perWalk);
    const took = performance.now() - began;
    if (took < sliceMs.least && walk.classes) perWalk *= 2;
    if (took > sliceMs.most) perWalk = Math.ceil(perWalk / 2);
    below = stretch.end;
    yield stretch;
  } while (below);
}

/**
 * Of many classes the newest rows of all are tried first, for most pages are full with those. Where they hold too few,
 * each class is walked, deeper and deeper, since one of them may have nearly all.
 */
async function* ofMany(
  { broad, byClass }: Required<Walks>,
  start: Place | undefined,
  wanted: () => number,
): AsyncGenerator<Stretch> {
  const tried = await readSlice(broad, start, wanted(), sliceRows);
  if (tried.rows.length === wanted() || !tried.end) return yield tried;
  let below = start;
  let perWalk = Math.ceil((2 * sliceRows) / byClass.classes.length);
  while (perWalk < wanted()) {
    const stretch = await readSlice(byClass, below, wanted(), perWalk);
    yield stretch;
    if (!stretch.end) return;
    below = stretch.end;
    perWalk *= 2;
  }
  yield readWhole(byClass, below, wanted());
}

/**
 * The rows of a day that fit, newest first, in stretches that each take a few milliseconds.
 * @param below where to go on; undefined: from the newest
 * @param wanted how many rows are still asked for; a stretch never has more
 */
export async function* readDay(
  walks: Walks,
  below: Place | undefined,
  wanted: () => number,
): AsyncGenerator<Stretch> {
  const { broad, byClass } = walks;
  const classes = byClass?.classes.length ?? 0;
  if (readsEveryRow(broad.filter)) {
    yield* inSlices(byClass && classes <= many ? byClass : broad, below, wanted);
  } else if (byClass && classes > few && !newestOf(byClass, below, 1)) {
    yield* ofMany({ broad, byClass }, below, wanted);
  } else {
    yield readWhole(byClass ?? broad, below, wanted());
  }
}
