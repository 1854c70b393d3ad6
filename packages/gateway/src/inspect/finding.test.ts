import { categoryNames } from '@portcullis/contract/vocabulary';
import type { Verdict } from '@portcullis/engine';
import { describe, expect, test } from 'vitest';
import { builtInRules } from '../../../engine/src/detectors/index.ts';
import { findingOf } from './finding.ts';

/** What is told where a rule blocks. */
function told({ id, message, category, severity, score }: (typeof builtInRules)[number]): string {
  const match = {
    ...{ ruleId: id, message, severity, score, target: 'query:q', value: 'x' },
    ...{ span: [0, 1] as const, transformations: [], ...(category && { category }) },
  };
  const verdict = { decision: 'block', matches: [match], score, decidedBy: { ruleId: id } } as unknown;
  return findingOf(verdict as Verdict, new Set(), 0).message;
}

describe('the sentence about a find', () => {
  /** Names keep their capital, and so does what is all capitals: a new one is added here, a common word to finding.ts. */
  const names = /^(?:[A-Z]{2,}|Groovy|Java|JavaScript|Node\.js|Perl|PowerShell|Python|Ruby|XInclude)\b/;

  test('goes on with a small letter whatever rule of ours it is about, unless a name begins there', () => {
    const ends = builtInRules.map((rule) => told(rule).replace(/^.*? in query parameter q: /, ''));
    expect(ends.length).toBeGreaterThan(200);
    expect(ends.filter((end) => /^[A-Z]/.test(end) && !names.test(end))).toEqual([]);
  });

  test('begins with the name of the category', () => {
    const begin = new Set(builtInRules.map((rule) => told(rule).replace(/ blocked in .*$/, '')));
    const inspected = builtInRules.flatMap(({ category }) => (category ? [categoryNames[category]] : []));
    const expected = inspected.map((name) => (name === 'Method validation' ? 'Method not allowed' : name));
    expect(begin).toEqual(new Set(expected));
  });

  test('calls nothing a find of a category that a rule of the operator allowed, whatever it is sorted under', () => {
    const match = {
      ruleId: 'mine',
      message: 'Partner',
      severity: 'high',
      score: 0,
      category: 'xss',
    } as const;
    const found = {
      ...match,
      target: 'header:x-key',
      value: 'x',
      span: [0, 1],
      transformations: [],
    } as const;
    const decidedBy = { ruleId: 'mine', category: 'xss' } as const;
    const verdict: Verdict = { decision: 'allow', decidedBy, score: 0, scores: {}, matches: [found] };
    const finding = findingOf(verdict, new Set(['mine']), 0);
    expect(finding).toMatchObject({ kind: 'custom_rule', decision: 'allow', level: 'info' });
    expect(finding.message).toBe('Allowed: Partner in header x-key');
    expect(finding.category).toBeUndefined();
  });
});
