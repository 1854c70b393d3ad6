import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inSteps } from '../steps.ts';
import { condensed, stateBefore } from './kept-change.ts';
import { listBefore, listChange, shownChange } from './long-lists.ts';

const list = fc.array(fc.constantFrom(...'abcdefghij'), { maxLength: 12 });
const addresses = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => `192.0.${from + n}`);
const stored = (entries: readonly string[], version = 1) => ({
  id: 'l',
  version,
  value: { name: 'Feed', entries },
});
const change = (before: unknown, after: unknown) => ({
  kind: 'address_list',
  id: 'l',
  name: 'Feed',
  before,
  after,
});

describe('how a long list changed', () => {
  it('leads back to the list before, in its order, whatever the two are', async () => {
    await fc.assert(
      fc.asyncProperty(list, list, async (before, after) => {
        const changed = JSON.parse(JSON.stringify(await inSteps(listChange(before, after))));
        expect(await inSteps(listBefore(after, changed))).toEqual(before);
      }),
    );
  });

  it('takes as much room as what went and came, not as the list', async () => {
    const before = addresses(0, 20_000);
    const after = [...before.slice(0, 5000), 'new', ...before.slice(5003)];
    const changed = await inSteps(listChange(before, after));
    expect(JSON.stringify(changed).length).toBeLessThan(150);
    expect(shownChange(changed)).toEqual({
      counts: { before: 20_000, after: 19_998, removed: 3, added: 1 },
      removed: addresses(5000, 5003),
      added: ['new'],
    });
    expect(JSON.stringify(await inSteps(listChange(before, addresses(20_000, 40_000)))).length).toBeLessThan(
      1.1 * JSON.stringify(before).length,
    );
  });

  it('leads nowhere from a list that it did not lead to', async () => {
    const changed = await inSteps(listChange(['a'], ['a', 'b']));
    expect(await inSteps(listBefore(['a'], changed))).toBeUndefined();
  });
});

describe('a change that the history keeps', () => {
  const [before, after] = [stored(addresses(0, 1000)), stored(addresses(1, 1001), 2)];

  it('has long lists beside its two sides, and tells how the thing stood before', async () => {
    const kept = await condensed(change(before, after));
    expect(JSON.stringify(kept).length).toBeLessThan(400);
    expect(await stateBefore(kept, after)).toEqual(before);
    expect(await stateBefore(kept, before)).not.toEqual(before);
    expect(await stateBefore(kept, null)).toBeUndefined();
  });

  it('is whole where the thing went for good, and not where it is shown', async () => {
    const gone = change(before, null);
    expect(await stateBefore(gone, null)).toBe(before);
    expect(JSON.stringify((await condensed(gone)).before)).not.toContain('192');
  });

  it('is as it was where its lists are short', async () => {
    const short = change(stored(['a']), stored(['b']));
    expect(await condensed(short)).toBe(short);
  });
});
