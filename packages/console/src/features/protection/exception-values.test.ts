import { expect, it } from 'vitest';
import { exceptionProblems, exceptionToStore, exceptionValues } from './exception-values.ts';

const now = Date.parse('2026-11-21T12:00:00Z');

it('stores only the conditions that are set', () => {
  const values = { ...exceptionValues(undefined), path: ' /api/* ', method: 'post', until: 'day' as const };
  expect(exceptionToStore(values, undefined, now)).toEqual({
    category: 'sql_injection',
    path: '/api/*',
    method: 'POST',
    expires_at: '2026-11-22T12:00:00.000Z',
    note: '',
  });
});

it('gives a stored exception back as it was', () => {
  const stored = {
    rule_id: 'sql-union',
    category: 'sql_injection' as const,
    parameter: 'id',
    expires_at: '2026-12-01T00:00:00.000Z',
    note: 'search',
  };
  expect(exceptionToStore(exceptionValues(stored), stored, now)).toEqual(stored);
});

it('refuses a rule without a name and a path without its slash', () => {
  const values = exceptionValues(undefined);
  expect(Object.keys(exceptionProblems({ ...values, about: 'rule' }))).toEqual(['rule_id']);
  expect(Object.keys(exceptionProblems({ ...values, path: 'api' }))).toEqual(['path']);
  expect(exceptionProblems(values)).toEqual({});
});
