import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Beside, edgeFlag, type Literal, requiredLiterals, requirementsOf } from './index.ts';

const cases: readonly [RegExp, string[][]][] = [
  [/union\s+select/i, [['select'], ['union']]],
  [/(?:foo|bar)baz/, [['foobaz', 'barbaz']]],
  [/colou?r/, [['color', 'colour']]],
  [/a*b/, [['b']]],
  [/a|/, []],
  [/(?=x)y/, [['y']]],
  [/[ab]c/i, [['ac', 'bc']]],
  [/x{2,}y/, [['xx'], ['y']]],
  [/(?:'(?<a>x+)\k<a>b|c)/, [['x', 'c']]],
  [/\bevil\b(?!d)/, [['evil']]],
  [/(a)\1/, [['a']]],
  [/[^a]/, []],
];

/** Whether a literal occurs with what must stand beside it; `text` in lower case. */
function stands({ text: sought, before, after }: Literal, text: string): boolean {
  const allows = (set: Beside | undefined, at: number) => {
    const code = text.charCodeAt(at);
    // Case is folded in the text and not in the sets.
    return !set || set[Number.isNaN(code) ? edgeFlag : code] === 1 || set[code - 32] === 1;
  };
  for (let at = text.indexOf(sought); at >= 0; at = text.indexOf(sought, at + 1))
    if (allows(before, at - 1) && allows(after, at + sought.length)) return true;
  return false;
}

describe('what a pattern says of the places beside a literal', () => {
  const sides = (pattern: RegExp) => {
    const [first] = requirementsOf(pattern)[0]?.[0] ?? [];
    const shown = (set: Beside | undefined) =>
      set &&
      [...set.keys()].flatMap((code) =>
        set[code] !== 1 ? [] : code === edgeFlag ? ['edge'] : [String.fromCharCode(code)],
      );
    return [shown(first?.before), first?.text, shown(first?.after)];
  };

  test.each<[RegExp, unknown[]]>([
    [/[xyzw]{1,3}evil(?:[;(!?]|$)/, [['w', 'x', 'y', 'z'], 'evil', ['!', '(', ';', '?', 'edge']]],
    [
      /^\.evil\s?[abcd=]/,
      [['edge'], '.evil', ['\t', '\n', '\v', '\f', '\r', ' ', '=', 'a', 'b', 'c', 'd', '\xa0']],
    ],
    [/evil[abcd]?/, [undefined, 'evil', undefined]],
    [/[a-z=;]\bevil/, [[';', '='], 'evil', undefined]],
  ])('%s', (pattern, expected) => expect(sides(pattern)).toEqual(expected));
});

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
      '\\s',
      ' {0,2}',
      'a{2,4}',
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
        const alternatives = requirementsOf(expression);
        if (alternatives.length === 0) return;
        expect(
          alternatives.some((clauses) =>
            clauses.every((clause) => clause.some((one) => stands(one, folded))),
          ),
        ).toBe(true);
      }),
      { numRuns: 5000 },
    );
  });
});
