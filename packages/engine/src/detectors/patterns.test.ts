import { describe, expect, test } from 'vitest';
import { requirementsOfRule } from '../inspect/openings.ts';
import { expectLinear } from '../testing/growth.ts';
import { categoryClasses } from '../vocabulary.ts';
import { builtInRules } from './index.ts';

const generic = [
  ' ',
  'a',
  '0',
  '(',
  ')',
  '<',
  '>',
  "'",
  '"',
  '`',
  '/',
  '\\',
  '../',
  '${',
  '{{',
  '}}',
  '[',
  ']',
  '\n',
  '\r\n',
  'a ',
  'a(',
  'a=',
  '= ',
  '; ',
  '| ',
  '& ',
  '-',
  '#',
  '$',
  '@',
  ':',
  '.',
  ',',
  '/*',
  '*/',
  '<!--',
  '<a ',
  'a.a',
  "' or ",
  'select ',
  '%',
  '\\u',
  '\0',
  '\xe5\x98',
  '{%',
  '<%',
  '<?',
  '()',
  '[]',
  '![]',
  '[![]',
  '+[]',
  'x:x:',
  '</x>',
  '<x',
  'on',
  'on=',
  'java.',
  'class=',
  '//',
  '\\\\',
  'http://',
  '"]',
  "']",
  '"a"',
  "'a'",
  '*)(',
  ')(',
  '(&',
  ' \t',
  '{x',
  '#x',
  'a"b',
  "a'b",
];

/** Texts that lead a backtracking engine deep into the pattern: what it asks for, over and over. */
function seedsOf(pattern: RegExp): string[] {
  const words =
    pattern.source.match(/[a-z_]{3,}(?:\\[./(:-][a-z_]{2,})*/g)?.map((word) => word.replaceAll('\\', '')) ??
    [];
  const sample = words.filter((_word, index) => index % Math.ceil(words.length / 24) === 0);
  return [
    ...generic,
    ...sample,
    ...sample.slice(0, 8).flatMap((word) => [`${word} `, `${word}(`, `${word}=`, `<${word} `, `${word}.`]),
  ];
}

describe('every built-in pattern', () => {
  const patterned = builtInRules.flatMap((rule) =>
    rule.operator.kind === 'pattern' ? [{ rule, pattern: rule.operator.pattern }] : [],
  );

  test('there are many of them, with distinct ids', () => {
    expect(patterned.length).toBeGreaterThan(60);
    expect(new Set(builtInRules.map(({ id }) => id)).size).toBe(builtInRules.length);
  });

  test('each belongs to a class that its category is said to hold, and each class has rules', () => {
    for (const [category, classes] of Object.entries(categoryClasses)) {
      const held = builtInRules.filter((rule) => rule.category === category);
      expect([...new Set(held.map(({ id }) => id.slice(0, id.indexOf('-'))))].sort()).toEqual(
        [...classes].sort(),
      );
    }
  });

  test.each(patterned.map(({ rule, pattern }) => [rule.id, pattern] as const))(
    '%s grows linearly from 1 over 4 to 16 KB',
    (_id, pattern) => {
      for (const seed of seedsOf(pattern)) {
        const exec = (size: number) =>
          void pattern.exec(seed.repeat(Math.ceil(size / seed.length)).slice(0, size));
        for (const sizes of [
          [256, 4096],
          [1024, 16_384],
        ] as const)
          expectLinear(exec, sizes, seed);
      }
    },
  );

  test.each(patterned.map(({ rule }) => [rule.id, rule] as const))('%s has a gate', (_id, rule) => {
    const alternatives = requirementsOfRule(rule);
    expect(alternatives.length).toBeGreaterThan(0);
    for (const clauses of alternatives) {
      expect(clauses.length).toBeGreaterThan(0);
      expect(clauses.flat().every(({ text }) => text.length > 0)).toBe(true);
    }
  });
});
