import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KnownPieces } from './known-pieces.ts';

const place = 3;

function meet(pieces: KnownPieces, text: string, at: number = place): boolean {
  const source = `<${text}>`;
  const key = pieces.keyOf(source, 1, source.length - 1);
  if (key === 0) return false;
  const known = pieces.knows(key, at, source, 1, source.length - 1);
  if (!known) pieces.learn(key, at, source, 1, source.length - 1);
  return known;
}

describe('known pieces', () => {
  test('a piece is known from its third coming on, where it came before', () => {
    const pieces = new KnownPieces();
    expect([1, 2, 3, 4].map(() => meet(pieces, 'session_id'))).toEqual([false, false, true, true]);
    expect(meet(pieces, 'session_id', place + 1)).toBe(false);
  });

  test('one that differs in a character that the key leaves out is another', () => {
    const pieces = new KnownPieces();
    for (let time = 0; time < 3; time += 1) meet(pieces, 'aabcdefghijklmzz');
    expect(meet(pieces, 'aabXdefghijklmzz')).toBe(false);
  });

  test('a long one is never kept', () => {
    const pieces = new KnownPieces();
    expect([1, 2, 3].map(() => meet(pieces, 'x'.repeat(65)))).toEqual([false, false, false]);
  });

  test('what is known was learnt, whatever came between', () => {
    const piece = fc.tuple(
      fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 2, maxLength: 7 }),
      fc.nat({ max: 2 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 200 }), (coming) => {
        const pieces = new KnownPieces();
        const met = new Set<string>();
        for (const [text, at] of coming) {
          if (meet(pieces, text, at)) expect(met).toContain(`${at} ${text}`);
          met.add(`${at} ${text}`);
        }
      }),
    );
  });
});
