import type { AuditEntry } from '@portcullis/contract/events';
import { InspectionException } from '@portcullis/contract/sites';
import { describe, expect, it } from 'vitest';
import {
  allowedParameter,
  canBeAllowed,
  consequence,
  exceptionsOf,
  firstValues,
  parameterOf,
} from './allow-values.ts';

const match = (ruleId: string, target: string) => ({
  ruleId,
  message: 'SQL injection',
  category: 'sql_injection' as const,
  severity: 'critical' as const,
  score: 5,
  target,
  value: "1' or 1=1",
  span: [0, 9] as [number, number],
  transformations: [],
});

const entry: AuditEntry = {
  id: 'e1',
  timestamp: '2026-03-01T12:00:00.000Z',
  level: 'warning',
  action: 'blocked',
  message: 'Blocked',
  kind: 'detection',
  siteId: 's1',
  siteName: 'Shop',
  method: 'GET',
  path: '/items?id=1',
  matches: [match('sqli-1', 'query:id'), match('sqli-2', 'query:id'), match('sqli-1', 'query:id')],
};

describe('allowing what an event found', () => {
  it.each([
    ['query:id', 'id'],
    ['json:items.0.name (name)', 'items.0.name'],
    ['header:referer', 'referer'],
    ['query:a:b', 'a:b'],
    ['query:gr\u00c3\u00b6\u00c3\u009fe', 'größe'],
    ['path', undefined],
  ])('reads from the target %s the parameter %s', (target, parameter) => {
    expect(parameterOf({ target })).toBe(parameter);
  });

  it.each([
    ['json:items.0.name', 'items.*.name'],
    ['json:0.tags.12', '*.tags.*'],
    ['json:v2.a1.name', 'v2.a1.name'],
    ['query:7', '7'],
    ['path', undefined],
  ])('allows what stands at %s wherever it stands in its list: %s', (target, parameter) => {
    expect(allowedParameter({ target })).toBe(parameter);
  });

  it('makes one exception of what matched at several places of a list', () => {
    const matches = [match('sql-union', 'json:items.0.name'), match('sql-union', 'json:items.7.name')];
    expect(
      exceptionsOf({ ...entry, matches }, firstValues(entry), 0).map(({ parameter }) => parameter),
    ).toEqual(['items.*.name']);
  });

  it('starts with the narrowest exceptions, one for each rule that matched', () => {
    const exceptions = exceptionsOf(entry, firstValues(entry), 0);
    expect(exceptions).toEqual(
      ['sqli-1', 'sqli-2'].map((rule_id) => ({
        rule_id,
        path: '/items',
        parameter: 'id',
        method: 'GET',
        note: '',
      })),
    );
    for (const one of exceptions) expect(InspectionException.safeParse(one).success).toBe(true);
  });

  it('can cover a whole category everywhere for a day', () => {
    const wide = { ...firstValues(entry), what: 'categories' as const, path: '', lifetime: 'day' as const };
    const values = { ...wide, onlyParameters: false, onlyMethod: false };
    expect(exceptionsOf(entry, values, 0)).toEqual([
      { category: 'sql_injection', expires_at: '1970-01-02T00:00:00.000Z', note: '' },
    ]);
  });

  it('says in a sentence what will no longer be inspected', () => {
    expect(consequence(entry, firstValues(entry))).toBe(
      'On Shop, rules sqli-1 and sqli-2 will no longer be checked in “id” of GET requests to /items. All else is inspected as before.',
    );
    const wide = { ...firstValues(entry), what: 'categories' as const, path: '/api/*', onlyMethod: false };
    expect(consequence(entry, { ...wide, onlyParameters: false, lifetime: 'hour' })).toBe(
      'On Shop, all SQL injection rules will no longer be checked anywhere in requests to paths that start with /api/, for 1 hour. All else is inspected as before.',
    );
  });

  it('is offered only for findings on a site', () => {
    expect(canBeAllowed(entry)).toBe(true);
    expect(canBeAllowed({ ...entry, kind: 'rate_limit' })).toBe(false);
    expect(canBeAllowed({ ...entry, matches: [] })).toBe(false);
  });
});
