import { describe, expect, test } from 'vitest';
import { requirementsOfRule } from '../inspect/openings.ts';
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

function milliseconds(pattern: RegExp, text: string): number {
  let best = Infinity;
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const start = performance.now();
    pattern.exec(text);
    best = Math.min(best, performance.now() - start);
    if (best < 1) break;
  }
  return best;
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
    '%s grows linearly from 1 to 4 to 16 KB',
    (_id, pattern) => {
      for (const seed of seedsOf(pattern)) {
        const [small = 0, middle = 0, large = 0] = [1024, 4096, 16_384].map((size) =>
          milliseconds(pattern, seed.repeat(Math.ceil(size / seed.length)).slice(0, size)),
        );
        // Below 80 ms a busy machine measures noise; quadratic time would be 256-fold.
        if (large < 80) continue;
        expect({ seed, small, middle, large, fold: large / Math.max(small, 0.2) }).toSatisfy(
          ({ fold }: { fold: number }) => fold < 64,
        );
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
