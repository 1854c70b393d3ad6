import { AuditEntry } from '@portcullis/contract/events';
import { expect, test } from 'vitest';
import { reachedIn, scoreLabel } from './reached.ts';

const entry = (fields: object) =>
  AuditEntry.parse({ id: '1', timestamp: '', level: 'error', action: 'blocked', message: '', ...fields });
const reached = { score: 5, threshold: 5, sensitivity: 'medium' };

test('a score stands against its threshold, and beside the sum where other categories add to it', () => {
  expect(scoreLabel(entry({ score: 5, reached }))).toBe('5; medium sensitivity acts from 5');
  expect(scoreLabel(entry({ score: 8, reached }))).toBe(
    '5; medium sensitivity acts from 5 · 8 in all categories',
  );
  expect(reachedIn(entry({ score: 8, reached, ruleType: 'sql_injection' }))).toBe(
    'SQL injection: score 5; medium sensitivity acts from 5',
  );
});

test('an event of before thresholds were told shows its score alone, and one without a score nothing', () => {
  expect(scoreLabel(entry({ score: 5 }))).toBe('5');
  expect(scoreLabel(entry({}))).toBeUndefined();
  expect(reachedIn(entry({ score: 5, ruleType: 'xss' }))).toBeUndefined();
});
