import { CustomRuleCreate } from '@portcullis/contract/protection';
import { describe, expect, it } from 'vitest';
import { checkRule } from './index.ts';

const rule = (value: string, fields: object = {}) =>
  CustomRuleCreate.parse({
    name: 'Admin by address',
    siteId: 'site_1',
    conditions: { rules: [{ field: 'path', operator: 'regex', value }] },
    ...fields,
  });

describe('an operator saves a rule', () => {
  it('that the engine can run: nothing to mend', () => {
    expect(checkRule(rule('^/admin(/|$)'))).toEqual([]);
  });

  it('with a broken pattern: which condition, and why', () => {
    expect(checkRule(rule('(unclosed'))).toEqual([
      { path: 'conditions.rules.0.value', message: expect.stringMatching(/.{10,}/) },
    ]);
  });

  it('with a pattern that no bounded engine can run: refused, not run', () => {
    expect(checkRule(rule('(a+)\\1+$')).map((issue) => issue.path)).toEqual(['conditions.rules.0.value']);
  });
});
