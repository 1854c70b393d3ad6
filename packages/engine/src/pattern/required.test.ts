import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { requiredLiterals } from './index.ts';

const cases: readonly [RegExp, string[][]][] = [
  [/union\s+select/i, [['select'], ['union']]],
  [/(?:foo|bar)baz/, [['foobaz', 'barbaz']]],
  [/colou?r/, [['color', 'colour']]],
  [/a*b/, [['b']]],
  [/a|/, []],
  [/(?=x)y/, [['y']]],
  [/[ab]c/i, [['ac', 'bc']]],
  [/x{2,}y/, [['x'], ['y']]],
  [/\bevil\b(?!d)/, [['evil']]],
  [/(a)\1/, [['a']]],
  [/[^a]/, []],
];

describe('requiredLiterals', () => {
  test.each(cases)('%s', (pattern, expected) => {
    expect(requiredLiterals(pattern).map((clause) => [...clause].sort())).toEqual(
      expected.map((clause) => clause.sort()),
    );
  });

  test('never promises what a match lacks', () => {
    const atom = fc.constantFrom(
      'a',
      'b',
      'AB',
      '[ab]',
      '.',
      '\\w',
      '\\.',
      'c?',
      'd*',
      'e+',
      '(?:fg)?',
      '(?:h|ij)',
      '(?:k|)',
      'l{2}',
      '^',
      '$',
      '\\b',
      '(?=a)',
      '(?!z)',
      '\\x41',
      '[^a]',
    );
    const source = fc.array(atom, { minLength: 1, maxLength: 6 }).map((atoms) => atoms.join(''));
    const either = fc.array(source, { minLength: 1, maxLength: 3 }).map((sources) => sources.join('|'));
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', 'A', 'B', 'c', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', '.', ' '),
      maxLength: 12,
    });
    fc.assert(
      fc.property(either, text, (pattern, sample) => {
        const expression = new RegExp(pattern, 'i');
        if (!expression.test(sample)) return;
        const folded = sample.toLowerCase();
        for (const clause of requiredLiterals(expression))
          expect(clause.some((literal) => folded.includes(literal))).toBe(true);
      }),
      { numRuns: 5000 },
    );
  });
});
