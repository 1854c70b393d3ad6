import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { parsePattern } from './pattern/parse.ts';
import { hasTwoReadings, loopsOf } from './pattern/readings.ts';
import { endsWithin } from './testing/growth.ts';
import { choices, request } from './testing/requests.ts';

/** Up to so many rounds, two readings of each make no more than sixteen. */
const fewRounds = 4;

/** What a lookahead tells apart, which the automaton does not see; each is run against what it must tell, below. */
const toldByLooking = ['(?!\\/\\*+\\/)', '(?!\\|[0-9a-fA-F\\s]*\\|)'];

/** Every regular expression of the engine: those written in its files, and those put together as it loads. */
async function everyPattern(): Promise<Map<string, RegExp>> {
  const patterns = new Map<string, RegExp>();
  for (const file of readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || file.endsWith('.test.ts') || file.startsWith('testing')) continue;
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf('/');
        patterns.set(node.text, new RegExp(node.text.slice(1, end), node.text.slice(end + 1)));
      }
      ts.forEachChild(node, visit);
    };
    const source = readFileSync(join(import.meta.dirname, file), 'utf8');
    visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest));
  }
  const own = globalThis.RegExp;
  globalThis.RegExp = new Proxy(own, {
    construct(target, given: ConstructorParameters<RegExpConstructor>) {
      const made = new target(...given);
      patterns.set(String(made), made);
      return made;
    },
  });
  try {
    await import('./index.ts');
  } finally {
    globalThis.RegExp = own;
  }
  return patterns;
}

function loops(pattern: RegExp) {
  const { source, ignoreCase, dotAll, multiline } = pattern;
  const options = {
    ignoreCase,
    dotAll,
    multiline,
    detailed: true,
    utf8: /[^\0-\xff]|(?<!\\)\\u/.test(source),
  };
  const read = parsePattern(source, options);
  if (!read.ok) throw new Error(`${source}: ${read.issue.reason}`);
  return loopsOf(read.node);
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
