import type { BuiltInRule } from '@portcullis/contract/protection';
import { expect, it } from 'vitest';
import { findBuiltIn } from './built-in.ts';

const rule = (id: string, more: Partial<BuiltInRule> = {}): BuiltInRule => ({
  ...{ id, description: '', category: 'sql_injection', severity: 'high', parts: [] },
  ...more,
});
const rules = [
  rule('nosql-union', { site: { idle: 'category', exceptions: 0 } }),
  rule('sql-union-select', { site: { mode: 'block', exceptions: 0 } }),
  rule('sql-union', { description: 'A UNION that selects', site: { mode: 'block', exceptions: 1 } }),
  rule('leak-sql-oracle', { category: undefined, leak: 'sql_error', site: { mode: 'log', exceptions: 0 } }),
];
const found = (text: string, more: object = {}) => findBuiltIn(rules, { text, ...more }).map(({ id }) => id);

it('puts the rule whose id is sought first, then those that begin so', () => {
  expect(found(' SQL-union ')).toEqual(['sql-union', 'sql-union-select', 'nosql-union']);
});

it('finds by all words, in id, description and category', () => {
  expect(found('selects union')).toEqual(['sql-union']);
  expect(found('injection nosql')).toEqual(['nosql-union']);
  expect(found('')).toHaveLength(rules.length);
  expect(found('no such rule')).toEqual([]);
});

it('keeps to a category, to answers, and to what counts on the site or does not', () => {
  expect(found('', { category: 'answers' })).toEqual(['leak-sql-oracle']);
  expect(found('', { category: 'sql_injection', state: 'counts' })).toEqual([
    'sql-union-select',
    'sql-union',
  ]);
  expect(found('', { state: 'idle' })).toEqual(['nosql-union']);
});
