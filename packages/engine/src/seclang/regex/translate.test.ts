import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compilePcre, translatePcre } from './index.ts';

function find(pattern: string, text: string): (string | undefined)[] | undefined {
  const translation = translatePcre(pattern);
  if (!translation.ok) throw new Error(translation.reason);
  const { regex, groups } = translation.pattern;
  const match = regex.exec(text);
  return match ? groups.map((index) => match[index]) : undefined;
}

describe('PCRE in JavaScript', () => {
  it.each<[string, string, (string | undefined)[] | undefined]>([
    ['a.b', 'a\nb', ['a\nb']],
    ['a$', 'a\n', undefined],
    ['(?m)a$', 'a\nb', ['a']],
    ['(?-s)a.b', 'a\nb', undefined],
    ['(?i)ab', 'xAB', ['AB']],
    ['(?i:a)b', 'Ab', ['Ab']],
    ['(?i:a)b', 'AB', undefined],
    ['a(?i)b|c', 'C', ['C']],
    ['(?i)a(?-i:b)', 'AB', undefined],
    ['(?i)a(?-i)b', 'Ab', ['Ab']],
    ['(?i)a(?-i)b', 'aB', undefined],
    // UTF-8 bytes are no letters of Latin-1.
    ['(?i)\\xc3\\xa9', '\xe3\xa9', undefined],
    ['(?i)[\\xc0-\\xc5]', '\xe1', undefined],
    ['(?i)[^\\xc3]x', '\xe3X', ['\xe3X']],
    ['(?x) a b # c', 'ab', ['ab']],
    ['\\s', '\xa0', undefined],
    ['[\\s]', '\xa0', undefined],
    ['\\h', '\xa0', ['\xa0']],
    ['\\v', '\x85', ['\x85']],
    ['[]a]+', 'a]', ['a]']],
    ['[^]a]', ']ab', ['b']],
    ['[[:alpha:][:digit:]-]+', '!a1-', ['a1-']],
    ['\\x{41}\\x42\\103', 'ABC', ['ABC']],
    ['\\Qa.b\\E.', 'a.bc', ['a.bc']],
    ['\\Aa\\z', 'a', ['a']],
    ['a\\Z', 'a\n', ['a']],
    ['a{,2}', 'a{,2}', ['a{,2}']],
    ['a++b', 'aaab', ['aaab']],
    ['a++ab', 'aaab', undefined],
    ['(?>a|ab)c', 'abc', undefined],
    ['(a)(?>b+)(c)\\2', 'abbcc', ['abbcc', 'a', 'c']],
    ['(?P<quote>[\'"]).*?\\k<quote>', `x"a'b"`, [`"a'b"`, '"']],
    ['(a)|(b)', 'b', ['b', undefined, 'b']],
    ['(?<!a)b', 'cb', ['b']],
    ['\\d+(?#digits)x', '12x', ['12x']],
  ])('%s on %j', (pattern, text, expected) => {
    expect(find(pattern, text)).toEqual(expected);
  });

  it.each([
    '(?R)',
    '(?(1)a|b)',
    '\\Kx',
    'a)',
    '(a',
    '[a',
    '*',
    '\\pL',
    '(*UTF8)a',
    '(?|a|b)',
    '\\3(a)',
    '\u20ac',
  ])('refuses %s with a reason', (pattern) => {
    expect(translatePcre(pattern)).toMatchObject({ ok: false, reason: expect.stringMatching(/./) });
  });

  it('knows patterns without a bound to run long texts with one', () => {
    const compiled = compilePcre('(?i)(a+)+(B)$');
    expect(compiled.ok && compiled.pattern.exec(`${'a'.repeat(100_000)}b`)?.[2]).toBe('b');
    expect(compiled.ok && compiled.pattern.exec(`${'a'.repeat(100_000)}!`)).toBeUndefined();
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (pattern) => {
        translatePcre(pattern);
      }),
    );
  });
});
