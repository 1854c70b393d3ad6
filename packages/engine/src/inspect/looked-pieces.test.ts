import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clear, type Looked } from './look.ts';
import { LookedPieces } from './looked-pieces.ts';

function recall(pieces: LookedPieces, text: string, start: number, end: number) {
  return pieces.find(pieces.keyOf(text, start, end), text, start, end, 'form');
}

test('what was found in a text is told of the same text alone, wherever it stands', () => {
  const char = fc.constantFrom('a', 'b', ' ');
  const list = fc.array(fc.string({ unit: char, minLength: 2, maxLength: 6 }), { maxLength: 200 });
  fc.assert(
    fc.property(list, (texts) => {
      const pieces = new LookedPieces();
      const known = new Map<string, Looked>();
      for (const [index, text] of texts.entries()) {
        const sent = `${'-'.repeat(index)}${text}+`;
        const end = index + text.length;
        const found = recall(pieces, sent, index, end);
        if (found) expect(found).toBe(known.get(text));
        if (found) continue;
        const fresh: Looked = { wanted: index, opened: undefined };
        known.set(text, fresh);
        pieces.add(pieces.keyOf(sent, index, end), sent, index, end, 'form', fresh);
        expect(recall(pieces, text, 0, text.length)).toBe(fresh);
      }
    }),
  );
});

test('another part, and a request that is over, tell nothing', () => {
  const pieces = new LookedPieces();
  const text = 'violet river meadow';
  const key = pieces.keyOf(text, 0, text.length);
  pieces.add(key, text, 0, text.length, 'form', clear);
  expect(pieces.find(key, text, 0, text.length, 'query')).toBeUndefined();
  expect(recall(pieces, text, 0, text.length)).toBe(clear);
  pieces.forget();
  expect(recall(pieces, text, 0, text.length)).toBeUndefined();
});

test('a list of sentences alike keeps apart most of what it can hold', () => {
  const words = ['river', 'lantern', 'quiet', 'meadow', 'copper', 'signal', 'harbour', 'violet'];
  const texts = words.flatMap((word, index) => [
    `${word} of the garden`,
    `the garden of ${words[(index + 3) % 8]}`,
  ]);
  const pieces = new LookedPieces();
  for (const text of texts)
    pieces.add(pieces.keyOf(text, 0, text.length), text, 0, text.length, 'form', clear);
  const kept = texts.filter((text) => recall(pieces, text, 0, text.length) === clear);
  expect(kept.length).toBeGreaterThan(texts.length * 0.7);
});
