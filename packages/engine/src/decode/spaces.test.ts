import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plusToSpaces } from './spaces.ts';

test('plus signs become spaces and nothing else changes, in words and in bytes, short and long', () => {
  const piece = fc.constantFrom('a', 'word', '+', '++', '%20', '\xe4', '\x00', '&x=', '\xff\xfe');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), fc.constantFrom(1, 3, 60), (pieces, times) => {
      const text = pieces.join('').repeat(times);
      expect(plusToSpaces(text)).toBe(text.split('+').join(' '));
    }),
    { numRuns: 500 },
  );
  const words = 'some+words+of+a+form+'.repeat(100);
  expect(plusToSpaces(words)).toBe(words.split('+').join(' '));
});
