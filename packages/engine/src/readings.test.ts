import { expect, test } from 'vitest';
import { endsWithin } from './testing/growth.ts';
import { everyPattern, loopsOf, readPattern } from './testing/patterns.ts';
import { hasTwoReadings } from './testing/readings.ts';
import { choices, request } from './testing/requests.ts';

/** Up to so many rounds, two readings of each make no more than sixteen. */
const fewRounds = 4;

/** What a lookahead tells apart, which the automaton does not see; each is run against what it must tell, below. */
const toldByLooking = ['(?!\\/\\*+\\/)', '(?!\\|[0-9a-fA-F\\s]*\\|)'];

function loops(pattern: RegExp) {
  return loopsOf(readPattern(pattern));
}

test('no loop of a pattern of the engine reads one text in two ways', async () => {
  const patterns = await everyPattern();
  expect(patterns.size).toBeGreaterThan(800);
  const twice = [...patterns.values()]
    .filter(({ source }) => !toldByLooking.some((look) => source.includes(look)))
    .filter((pattern) => loops(pattern).some(({ item, max }) => max > fewRounds && hasTwoReadings(item)));
  expect(twice.map(String)).toEqual([]);
});

test.each([
  [/(?:[\w.-]{0,40}[/\\]{1,3}){0,20}/, true],
  [/(?:\/[*][^*]{0,80}[*]+\/|\/[*]!\d{0,6})*/, true],
  [/(?:w,|[w,])*/, true],
  [/(?:a|b|ab)*/, true],
  [/(?:a?b?)*/, true],
  [/(?:\w{1,40}\s{1,9}){0,20}/, false],
  [/(?:[\w.-]{1,40}[/\\]{1,100}){0,20}/, false],
  [/(?:w\(|[w,])*/, false],
  [/(?:[0-9a-f]{2})+/, false],
])('%s has two readings of a text: %s', (pattern, expected) => {
  expect(loops(pattern).some(({ item, max }) => max > fewRounds && hasTwoReadings(item))).toBe(expected);
});

test.each([
  `'${'/*!/**/'.repeat(40)}x`,
  `'${'/*!1/***/ '.repeat(40)}x`,
  `uery x(${`$a:a${' '.repeat(9)}`.repeat(12)}$where: 1`,
  `${'\xc2\xa0\xa0\xa0'.repeat(40)}$$$'--`,
])('a value that had as many readings as it has repetitions is inspected at once: %#', async (value) => {
  const { compilePolicy, inspect } = await import('./inspect/index.ts');
  const policy = compilePolicy({ securityLevel: 'medium', categories: choices('high') });
  const sent = request({
    target: `/?q=${[...value].map((byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`).join('')}`,
  });
  expect(endsWithin(3000, () => void inspect(policy, sent))).toBe(true);
});

test('what a lookahead tells apart among comments is told', async () => {
  const { builtInRules } = await import('./detectors/index.ts');
  const detects = builtInRules.flatMap(({ operator }) =>
    operator.kind === 'detect' && operator.detector.name === 'sql condition' ? [operator.detector] : [],
  );
  expect(detects.length).toBeGreaterThan(0);
  for (const { detect } of detects)
    expect(endsWithin(3000, () => void detect(`'${'/*!/**/'.repeat(40)} or 1=1--`))).toBe(true);
});
