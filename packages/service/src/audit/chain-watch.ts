import { z } from 'zod';
import type { Sealer } from '../sealing/index.ts';
import type { Storage } from '../storage/index.ts';
import { firstLink, type Walked, walkChain } from './chain.ts';

const markKey = 'audit_checked';
const purpose = 'audit-chain';

/** How far the chain was looked at, kept sealed: who can write to the database alone cannot move it. */
const Mark = z.object({
  seq: z.number(),
  hash: z.string(),
  entries: z.number(),
  /** when a walk last began at the first entry, Unix milliseconds; null: never */
  wholeAt: z.number().nullable(),
});
type Mark = z.infer<typeof Mark>;

const noMark: Mark = { ...firstLink, wholeAt: null };

/** What is known of the chain. */
export interface ChainState {
  /** id of the first entry that does not fit, or what is wrong instead; undefined where the chain is whole */
  readonly brokenAt: string | undefined;
  /** entries that fit, from the first one on */
  readonly checked: number;
  /** Unix milliseconds; null: never */
  readonly checkedWholeAt: number | null;
}

/** Keeps an eye on the chain of administrators' actions. */
export interface ChainWatch {
  /** Looks at what came since it last was looked at. An entry of before that was changed meanwhile is not seen. */
  look(): Promise<ChainState>;
  /** Looks at every entry. However many ask, one walk is under way. */
  lookAtAll(): Promise<ChainState>;
}

/**
 * Every failed sign-in is an entry, so that walking along all of them for each page that is shown would let strangers
 * keep the service busy.
 * @param now the clock, Unix milliseconds
 * @param markEvery fewer entries are rather looked at again than a mark written for them
 */
export function createChainWatch(
  storage: Storage,
  sealer: Sealer,
  now: () => number,
  markEvery = 250,
): ChainWatch {
  /** of this run, so that an older mark which was put back counts for nothing */
  let farthest = noMark;

  const stored = async (): Promise<Mark | undefined> => {
    const row = await storage.read
      .selectFrom('meta')
      .select('value')
      .where('key', '=', markKey)
      .executeTakeFirst();
    if (!row) return noMark;
    const text = sealer.open(row.value, purpose);
    return text === undefined ? undefined : Mark.parse(JSON.parse(text));
  };
  const keep = async (mark: Mark) => {
    farthest = mark;
    const value = sealer.seal(JSON.stringify(mark), purpose);
    await storage.db
      .insertInto('meta')
      .values({ key: markKey, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute();
  };
  const look = async (): Promise<ChainState> => {
    const mark = await stored();
    if (!mark) return { ...stateOf(farthest), brokenAt: 'the mark of what was looked at, which is not ours' };
    const isNewer = (mark.wholeAt ?? 0) > (farthest.wholeAt ?? 0) || mark.seq >= farthest.seq;
    const from = isNewer ? mark : farthest;
    const { whole, brokenAt } = await walkChain(storage.read, from);
    const reached = { ...whole, wholeAt: from.wholeAt };
    if (whole.entries - mark.entries >= markEvery) await keep(reached);
    return { ...stateOf(reached), brokenAt };
  };
  const lookAtAll = async (): Promise<ChainState> => {
    const began = now();
    const { whole, brokenAt }: Walked = await walkChain(storage.read, firstLink);
    // Before what does not fit, where there is such: so each later look finds it again at once.
    const reached = { ...whole, wholeAt: began };
    await keep(reached);
    return { ...stateOf(reached), brokenAt };
  };
  return { look: oneAtATime(look), lookAtAll: oneAtATime(lookAtAll) };
}

const stateOf = ({ entries, wholeAt }: Mark) => ({ checked: entries, checkedWholeAt: wholeAt });

function oneAtATime<T>(work: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | undefined;
  return () => {
    underWay ??= work().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
}
