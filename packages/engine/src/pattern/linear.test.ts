import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileLinear } from './index.ts';

function matches(source: string, text: string, options = {}): boolean {
  const compiled = compileLinear(source, options);
  if (!compiled.ok) throw new Error(compiled.issue.reason);
  return compiled.pattern.matchEnd(text) >= 0;
}

describe('compileLinear', () => {
  test('agrees with the platform on what matches', () => {
    const atom = fc.constantFrom(
      'a',
      'b',
      'ab',
      '[ab]',
      '[^a]',
      '.',
      '\\w',
      '\\s',
      '\\d',
      'a?',
      'b*',
      'a+',
      '(?:ab)*',
      '(a|b)',
      '(?:a|)',
      'a{2}',
      'b{1,3}',
      '^',
      '$',
      '\\b',
      '\\B',
      '(?<name>a)',
      'a*?',
      '\\x61',
      '[a-c]',
      '[\\w-]',
      '{',
    );
    const source = fc.array(atom, { minLength: 1, maxLength: 6 }).map((atoms) => atoms.join(''));
    const either = fc.array(source, { minLength: 1, maxLength: 3 }).map((sources) => sources.join('|'));
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', 'c', 'A', ' ', '1', '-', '\n', '{'),
      maxLength: 10,
    });
    fc.assert(
      fc.property(either, text, fc.boolean(), (pattern, sample, ignoreCase) => {
        // The name of a group may stand once only.
        fc.pre(pattern.split('?<name>').length < 3);
        expect(matches(pattern, sample, { ignoreCase })).toBe(
          new RegExp(pattern, ignoreCase ? 'i' : '').test(sample),
        );
      }),
      { numRuns: 5000 },
    );
  });

  test('over UTF-8 a character is one character', () => {
    const utf8 = (text: string) => Buffer.from(text).toString('latin1');
    expect(matches('^.$', utf8('中'), { utf8: true })).toBe(true);
    expect(matches('^[äö]+$', utf8('äöä'), { utf8: true })).toBe(true);
    expect(matches('^[^a]$', utf8('é'), { utf8: true })).toBe(true);
    expect(matches('grüße', utf8('viele grüße'), { utf8: true })).toBe(true);
  });

  test.each(['(', ')', '[a', '*a', 'a{3,1}', '\\', '(?<=a)b', '(a)\\1', '(?:a{500}){500}', '\\q', '(?<a'])(
    'refuses %s with a reason',
    (source) => {
      const compiled = compileLinear(source);
      expect(compiled.ok ? '' : compiled.issue.reason).not.toBe('');
    },
  );
});
