import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileBounded } from './index.ts';

function reachOf(source: string): number {
  const compiled = compileBounded(source);
  if (!compiled.ok) throw new Error(compiled.reason);
  return compiled.pattern.backtrackingReach;
}

describe('how long a text may be for a backtracking matcher', () => {
  it.each([
    '(a+)+$',
    '^(?:a|a)*$',
    '(?:a*)*b',
    '(?:a|ab)*c',
    '(?:\\s*a?\\s*)+x',
    '(?:a?){30}a{30}',
    '(?:a{1,30}){1,30}b',
    '(?:(?=a)a|a)*b',
  ])('is nothing for %s, whose ways double', (source) => {
    expect(reachOf(source)).toBe(0);
  });

  it.each([
    ['select', 131_072],
    ['^\\w+=\\w+$', 131_072],
    ['\\s+x', 512],
    ['(?:[0-9a-f]{2})+x', 256],
    ['\\s*=\\s*x', 256],
    ['a.*b.*c', 64],
  ])('of %s is about %d', (source, reach) => {
    expect(reachOf(source)).toBe(reach);
  });

  it('is never so long that a text of it takes the platform a second', { timeout: 120_000 }, () => {
    const atom = fc.constantFrom(
      'a',
      'b',
      'a?',
      'a*',
      'b+?',
      '.*',
      '[ab]*',
      '(?:ab)*',
      '(?:a|b)*',
      '(?:a|ab)+',
      '(?:a*b)*',
      '(?:a+b?)+',
      'a{2,9}',
      '(?:a|bb){0,40}',
      '(?:ab?c)*',
      '(?:.b)*',
      '(?=a*b)',
      '(?<=ba*)',
      '\\b',
      '$',
      '^',
    );
    const source = fc.array(atom, { minLength: 1, maxLength: 7 }).map((atoms) => atoms.join(''));
    const pump = fc.constantFrom('a', 'b', 'ab', 'aab', 'abc', 'ba ');
    fc.assert(
      fc.property(source, pump, fc.constantFrom('', 'c', '!'), (pattern, repeated, end) => {
        const compiled = compileBounded(pattern);
        fc.pre(compiled.ok);
        if (!compiled.ok) return;
        const length = Math.min(compiled.pattern.backtrackingReach, 8192);
        const text = repeated.repeat(length).slice(0, Math.max(0, length - end.length)) + end;
        const before = process.cpuUsage();
        new RegExp(pattern).exec(text);
        const { user } = process.cpuUsage(before);
        expect(user).toBeLessThan(1_000_000);
      }),
      { numRuns: 1500 },
    );
  });
});
