import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson } from './json.ts';
import { before, type JsonString } from './json-strings.ts';

/** Names and values as the reader gives them: `(name) a.0.b` for a name, `a.0.b=text` for a value. */
function read(text: string, head?: JsonString): string[] {
  const found: string[] = [];
  const context = { part: 'json', name: '', decoders: [], maxDepth: 64, ...(head && { head }) } as const;
  const { wellFormed } = parseJson(text, context, ({ name, isName, text }) => {
    found.push(isName ? `(name) ${name}` : `${name}=${text}`);
    return true;
  });
  expect(wellFormed).toBe(true);
  return found;
}

/** The same of what the platform reads. */
function expected(value: unknown, path = ''): string[] {
  if (typeof value === 'string') return value.length < 2 ? [] : [`${path}=${value}`];
  if (typeof value !== 'object' || value === null) return [];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([key, inner]) => {
    const below = path === '' ? key : `${path}.${key}`;
    return [...(isList || key.length < 2 ? [] : [`(name) ${below}`]), ...expected(inner, below)];
  });
}

const word = fc.constantFrom('red', 'redder', 'blue "sky"', 'a\\b', '', 'x', 'line\nbreak', 'name', 'kind');
const leaf = fc.oneof(word, fc.integer(), fc.constant(null));
const element = fc.dictionary(
  fc.constantFrom('name', 'kind', 'na"me', 'x', 'more', 'inner'),
  fc.oneof(
    { weight: 4, arbitrary: leaf },
    fc.array(word, { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('name', 'deep'), leaf),
  ),
);

describe('strings that repeat in lists of things alike', () => {
  test('are given each time, under the name where they stand', () => {
    const same = { name: 'red', kind: 'blue "sky"', inner: ['one', 'two'] };
    const list = [same, same, { name: 'red', inner: ['one', 'two'] }, { extra: 'one', ...same }, same];
    expect(read(JSON.stringify(list))).toEqual(expected(list));
  });

  test('are what the platform reads, whatever is left out or put between', () => {
    fc.assert(
      fc.property(fc.array(element, { maxLength: 8 }), (list) => {
        expect(read(JSON.stringify(list))).toEqual(expected(list));
      }),
      { numRuns: 1000 },
    );
  });

  test('are what the platform reads in documents that share what they begin with', () => {
    fc.assert(
      fc.property(fc.array(element, { minLength: 1, maxLength: 6 }), (documents) => {
        const head = before();
        for (const one of documents) expect(read(JSON.stringify(one), head)).toEqual(expected(one));
      }),
      { numRuns: 500 },
    );
  });

  test('are told from those that only begin or end like them', () => {
    const list = [
      { name: 'red' },
      { name: 'redder' },
      { names: 'red' },
      { name: 'red\\' },
      { name: 're' },
      { name: 'red' },
    ];
    expect(read(JSON.stringify(list))).toEqual(expected(list));
  });
});
