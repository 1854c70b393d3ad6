import { parseNetwork } from '@portcullis/contract/access';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Seen } from './seen.ts';

/** The list without repetition, as a set of texts makes it. @param networkOf what an entry is taken for */
function withoutRepetition(entries: readonly string[], networkOf = parseNetwork): string[] {
  const list: string[] = [];
  const seen = new Seen((place) => list[place]);
  for (const entry of entries) {
    const network = networkOf(entry);
    if (network && seen.add(entry, network, list.length)) list.push(entry);
  }
  return list;
}

describe('entries that were seen already', () => {
  it('are those of the same text, whatever they name', () => {
    const near = fc.nat(300).map((n) => `10.0.${n >> 8}.${n & 255}`);
    const entry = fc.oneof(
      near,
      near.map((ip) => `${ip}/32`),
      fc.ipV4(),
      fc.ipV6(),
      fc.constant('::/0'),
    );
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 2000, size: 'max' }), (entries) => {
        expect(withoutRepetition(entries)).toEqual([...new Set(entries)]);
      }),
      { numRuns: 50 },
    );
  });

  it('are found among a hundred thousand, and where somebody made all of them look alike', () => {
    const many = Array.from({ length: 100_000 }, (_, n) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);
    expect(withoutRepetition([...many, ...many.toReversed()])).toEqual(many);
    const alike = parseNetwork('2001:db8::1');
    const some = many.slice(0, 5000);
    expect(withoutRepetition([...some, ...some, ...some.toReversed()], () => alike)).toEqual(some);
    // Some of one number, then so many others that there is room for all again.
    const mixed = [...some.slice(0, 200), ...many.slice(5000), ...some.slice(0, 200)];
    const ofOneNumber = new Set(some);
    const networkOf = (entry: string) => (ofOneNumber.has(entry) ? alike : parseNetwork(entry));
    expect(withoutRepetition(mixed, networkOf)).toEqual([...new Set(mixed)]);
  });
});
