import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { takesLonger } from '../testing/growth.ts';
import { compileBounded } from './index.ts';

function find(source: string, text: string, options = {}) {
  const compiled = compileBounded(source, options);
  if (!compiled.ok) throw new Error(compiled.reason);
  return compiled.pattern.exec(text);
}

const atom = fc.constantFrom(
  'a',
  'ab',
  '[ab]',
  '[^a]',
  '.',
  '\\w',
  'a?',
  'b*',
  'a+',
  'a*?',
  'b+?',
  '(?:ab)*',
  '(?:a|ab)',
  '(?:a|)',
  '(?:a*)*',
  '(?:a|b?)+',
  'b{1,3}',
  'a{0,2}?',
  '^',
  '$',
  '\\b',
  '(a+)',
  '(a|b)',
  '(?=a)',
  '(?=(b))',
  '(?!ab)',
  '(?<=a)',
  '(?<!b|ab)',
  '(?<=^a)',
  '(?:(?=(?<one>a+))\\k<one>)',
  '(?:(?=(?<two>a|ab))\\k<two>)+',
);
const sequence = fc.array(atom, { minLength: 1, maxLength: 5 }).map((atoms) => atoms.join(''));
const pattern = fc.array(sequence, { minLength: 1, maxLength: 3 }).map((all) => all.join('|'));
const sample = fc.string({ unit: fc.constantFrom('a', 'b', 'A', ' ', '\n'), maxLength: 12 });
const isSound = (source: string) => ['<one>', '<two>'].every((name) => source.split(`?${name}`).length < 3);

describe('a bounded pattern', () => {
  it('finds what the platform finds, and the same groups', () => {
    fc.assert(
      fc.property(pattern, sample, fc.boolean(), (source, text, ignoreCase) => {
        fc.pre(isSound(source));
        const expected = new RegExp(source, ignoreCase ? 'i' : '').exec(text);
        expect(find(source, text, { ignoreCase })).toEqual(expected ? [...expected] : undefined);
      }),
      { numRuns: 6000 },
    );
  });

  it('knows references to what was captured', () => {
    expect(find('(["\']).*?\\1', `x"a'b"`)).toEqual([`"a'b"`, '"']);
    expect(find('(a|b)+\\1', 'abb')).toEqual(['abb', 'b']);
    expect(find('(a)\\1', 'aA', { ignoreCase: true })).toEqual(['aA', 'a']);
  });

  it.each([
    ['(a+)+$', 'a', '!'],
    ['^(?:a|a)*$', 'a', '!'],
    ['(?:a*)*b', 'a', '!'],
    ['a*a*a*a*a*a*b', 'a', '!'],
    ['(?:.*,){30}x', ',', '!'],
    ['\\s+$', ' ', 'x'],
  ])('answers %s on 128 KB in a number of steps that grows with the text', (source, pump, end) => {
    expect(find(source, pump.repeat(131_072) + end)).toSatisfy(
      (found) => found === undefined || found === 'exceeded',
    );
    expect(find(source, pump.repeat(16_384) + end)).toBeUndefined();
  });

  it('gives up where there can be no bound, and says so', () => {
    expect(find('(a*)*\\1(?!b)b', `${'a'.repeat(200)}b`)).toBe('exceeded');
    expect(find('(?:(?=(?:a*)*b)a)*(?!c)c', `${'a'.repeat(20_000)}c`)).toBe('exceeded');
  });

  it.each([false, true])('counts what it compares with a group, case folded: %s', (ignoreCase) => {
    const compiled = compileBounded('(.+)\\1;', { ignoreCase });
    if (!compiled.ok) throw new Error(compiled.reason);
    const text = `${'a'.repeat(131_072)}b;`;
    expect(takesLonger(400, () => expect(compiled.pattern.exec(text)).toBe('exceeded'))).toBe(false);
  });

  it.each(['(?:(?:a{1000}){1000}){1000}', '(?<=a*)b', 'a{2,1}', '(?<=(a)\\1)b'])('refuses %s', (source) => {
    expect(compileBounded(source)).toMatchObject({ ok: false, reason: expect.stringMatching(/./) });
  });

  it('is not held up by repetitions of nothing', () => {
    expect(find('(?:(?:(?:){99999}){99999}){99999}a', 'a')).toEqual(['a']);
    expect(find('(?:(?:a{0}){99999}){99999}a', 'a')).toEqual(['a']);
    expect(find(`(?:${'(?:'.repeat(60)}${'){8}'.repeat(60)}a)*b`, 'ab')).toEqual(['ab']);
  });
});
