import { describe, expect, it } from 'vitest';
import { builtInRules } from '../detectors/index.ts';
import { choices } from '../testing/requests.ts';
import { type InspectedCategory, securityLevels, sensitivities } from '../vocabulary.ts';
import { compilePolicy, type Exception, type PolicyInput, standingOf } from './index.ts';

const now = Date.parse('2026-11-23T12:00:00Z');
const only = (category: InspectedCategory) => builtInRules.filter((rule) => rule.category === category);
const union = builtInRules.find(({ id }) => id === 'sql-union');
if (!union) throw new Error('sql-union is no built-in rule');

/** What a policy that was compiled from the same choices runs. */
function running(input: PolicyInput): string[] {
  const { units, structureRules } = compilePolicy(input);
  const rules = [...units.flatMap((unit) => unit.rules), ...structureRules.map(({ rule }) => rule)];
  return [...new Set(rules.map(({ id }) => id))].sort();
}

describe('the standing of a built-in rule', () => {
  const cases = securityLevels.flatMap((securityLevel) =>
    sensitivities.map((sensitivity) => ({ securityLevel, sensitivity })),
  );

  it.each(cases)('is what a policy runs at $securityLevel and $sensitivity', (asked) => {
    const categories = choices(asked.sensitivity, ['sql_injection', 'csrf', 'file_upload']);
    const input = { securityLevel: asked.securityLevel, categories };
    const standing = builtInRules.filter((rule) => standingOf(rule, input, now).idle === undefined);
    expect(standing.map(({ id }) => id).sort()).toEqual(running(input));
  });

  it('names what keeps a rule idle: the level, the category or its sensitivity', () => {
    const idle = (securityLevel: PolicyInput['securityLevel'], sensitivity: 'low' | 'high') => {
      const input = { securityLevel, categories: choices(sensitivity, ['ldap_injection']) };
      return new Set([...only('ldap_injection'), union].map((rule) => standingOf(rule, input, now).idle));
    };
    expect(idle('off', 'high')).toEqual(new Set(['security_level']));
    expect(idle('medium', 'low')).toEqual(new Set([undefined, 'sensitivity', 'category']));
    expect(idle('low', 'high')).toEqual(new Set([undefined, 'security_level', 'category']));
    expect(idle('high', 'low')).toEqual(new Set([undefined, 'category']));
  });

  const under = (...exceptions: Exception[]) =>
    standingOf(union, { securityLevel: 'medium', categories: choices('medium'), exceptions }, now);

  it.each<[string, Exception]>([
    ['its id', { ruleId: 'sql-union' }],
    ['its category', { category: 'sql_injection' }],
    ['both', { ruleId: 'sql-union', category: 'sql_injection', expiresAtMs: now + 1 }],
  ])('is idle where an exception names %s and nothing else', (_name, exception) => {
    expect(under(exception)).toEqual({ idle: 'exception', exceptions: 1 });
  });

  it.each<[string, Exception]>([
    ['path', { ruleId: 'sql-union', path: '/search' }],
    ['parameter', { category: 'sql_injection', parameter: 'q' }],
    ['method', { ruleId: 'sql-union', method: 'POST' }],
  ])('is in force beside an exception for one %s, which is counted', (_name, exception) => {
    expect(under(exception)).toEqual({ idle: undefined, exceptions: 1 });
  });

  it.each<[string, Exception]>([
    ['of another rule', { ruleId: 'sql-comment' }],
    ['of another category', { ruleId: 'sql-union', category: 'xss' }],
    ['that has expired', { ruleId: 'sql-union', expiresAtMs: now }],
    ['that names neither', { path: '/' }],
  ])('is not touched by an exception %s', (_name, exception) => {
    expect(under(exception)).toEqual({ idle: undefined, exceptions: 0 });
  });
});
