import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { base64Texts } from './base64-texts.ts';

describe('base64 in a text', () => {
  test('is found wherever it stands, and ordinary words and tokens are not taken for it', () => {
    const wrapped = Buffer.from('<script>alert(1)</script>').toString('base64');
    for (let before = 0; before < 14; before += 1) {
      const text = `${'.'.repeat(before)}${wrapped}`;
      expect(base64Texts(text)).toEqual(['<script>alert(1)</script>']);
      expect(base64Texts(`${text} and more`)).toEqual(['<script>alert(1)</script>']);
    }
    expect(base64Texts('internationalization of /products/garden/chairs 3f6c2b1a9d8e4f70b1c2d3e4')).toEqual(
      [],
    );
  });

  test('is found in lines, each group of them read once', () => {
    const text = 'one line that says <script>alert(1)</script> and more of it';
    const lines = Buffer.from(text).toString('base64').replace(/.{20}/g, '$&\r\n');
    expect(base64Texts(`${lines}\n\n`)).toEqual([text]);
    // Read for each line anew, these would take minutes.
    const hostile = `${Buffer.from('plain tex').toString('base64')}////////////\n`.repeat(50_000);
    expect(base64Texts(`${hostile}.${lines}`).at(-1)).toBe(text);
  });

  test('is the same that a plain search finds', () => {
    const word = fc
      .string({ unit: fc.constantFrom('a', 'b', ' ', '<', '1'), minLength: 0, maxLength: 30 })
      .map((text) => Buffer.from(text).toString('base64'));
    const gap = fc.string({ unit: fc.constantFrom('.', ' ', 'x', '='), maxLength: 9 });
    fc.assert(
      fc.property(fc.array(fc.tuple(gap, word), { maxLength: 6 }), (pieces) => {
        const text = pieces.flat().join('');
        const printable = (bytes: string, share: number) =>
          [...bytes].filter((char) => /[\x20-\x7e\t\r\n]/.test(char)).length >= bytes.length * share;
        const expected = [...text.matchAll(/[A-Za-z0-9+/_-]{12,}/g)].flatMap(([run]) => {
          const decoded = Buffer.from(
            run.slice(0, run.length - (run.length % 4 === 1 ? 1 : 0)),
            'base64',
          ).toString('latin1');
          return printable(decoded.slice(0, 9), 1) && printable(decoded.slice(0, 256), 0.9) ? [decoded] : [];
        });
        expect(base64Texts(text)).toEqual(expected.slice(0, 16));
      }),
      { numRuns: 1000 },
    );
  });
});
