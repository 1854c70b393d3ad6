import { describe, expect, test } from 'vitest';
import { compilePolicy, inspect } from '../inspect/index.ts';
import { expectLinear } from '../testing/growth.ts';
import { choices, post, query, request } from '../testing/requests.ts';
import { type CustomCondition, type CustomRuleDefinition, compileCustomRule } from './index.ts';

function definition(
  rules: readonly CustomCondition[],
  changes: Partial<CustomRuleDefinition> = {},
): CustomRuleDefinition {
  return {
    id: 'rule_1',
    name: 'Mine',
    conditions: { operator: 'AND', rules },
    action: 'block',
    severity: 'high',
    ...changes,
  };
}

function decide(rule: CustomRuleDefinition, sent = request()) {
  const compiled = compileCustomRule(rule);
  if (!compiled.ok) throw new Error(compiled.issues[0]?.message);
  return inspect(compilePolicy({ securityLevel: 'low', categories: {}, customRules: [compiled.rule] }), sent)
    .decision;
}

describe('custom rules', () => {
  const admin = request({
    target: '/admin/%75sers?tab=a',
    headers: [
      ['User-Agent', 'curl/8'],
      ['X-Tenant', 'zwölf'],
    ],
  });
  const cases: readonly [CustomCondition, boolean][] = [
    [{ field: 'path', operator: 'starts_with', value: '/admin/users' }, true],
    [{ field: 'path', operator: 'equals', value: '/admin' }, false],
    [{ field: 'path', operator: 'not_equals', value: '/admin' }, true],
    [{ field: 'path', operator: 'ends_with', value: '/users' }, true],
    [{ field: 'path', operator: 'ends_with', value: '/admin' }, false],
    [{ field: 'user_agent', operator: 'ends_with', value: '/8' }, true],
    [{ field: 'query', operator: 'ends_with', value: 'x' }, false],
    [{ field: 'method', operator: 'equals', value: 'get' }, true],
    [{ field: 'query', operator: 'equals', value: 'a' }, true],
    [{ field: 'query', operator: 'contains', value: 'tab=a' }, true],
    [{ field: 'header', operator: 'contains', value: 'x-tenant' }, true],
    [{ field: 'user_agent', operator: 'regex', value: '(?i)^CURL/\\d+$' }, true],
    [{ field: 'user_agent', operator: 'regex', value: '^wget' }, false],
    [{ field: 'ip', operator: 'equals', value: '192.0.2.0/24' }, true],
    [{ field: 'ip', operator: 'not_equals', value: '192.0.2.0/24' }, false],
    [{ field: 'ip', operator: 'equals', value: '2001:db8::/32' }, false],
  ];
  for (const [condition, expected] of cases) {
    test(`${condition.field} ${condition.operator} ${condition.value}`, () => {
      expect(decide(definition([condition]), admin)).toBe(expected ? 'block' : 'pass');
    });
  }

  describe('that name a header or a parameter look at it alone', () => {
    const keyed = request({
      target: '/?role=user&other=secret&role=%61dmin+x&tag=&flag&%72ank=ok&gr%C3%BC%C3%9Fe=ja',
      headers: [
        ['X-Api-Key', 'secret'],
        ['X-Other', 'opaque'],
        ['X-Other', 'second'],
        ['X-Empty', ''],
      ],
    });
    const named: readonly [CustomCondition, boolean][] = [
      [{ field: 'header', name: 'x-api-key', operator: 'equals', value: 'secret' }, true],
      [{ field: 'header', name: 'X-API-KEY', operator: 'equals', value: 'secret' }, true],
      [{ field: 'header', name: 'x-api-key', operator: 'equals', value: 'opaque' }, false],
      [{ field: 'header', name: 'x-api-key', operator: 'contains', value: 'x-api-key' }, false],
      [{ field: 'header', name: 'x-other', operator: 'equals', value: 'secret' }, false],
      [{ field: 'header', name: 'x-other', operator: 'equals', value: 'second' }, true],
      [{ field: 'header', name: 'x-other', operator: 'not_equals', value: 'second' }, false],
      [{ field: 'header', name: 'x-other', operator: 'not_equals', value: 'secret' }, true],
      [{ field: 'header', name: 'x-api-key', operator: 'not_equals', value: 'secret' }, false],
      [{ field: 'header', name: 'x-absent', operator: 'not_equals', value: 'secret' }, true],
      [{ field: 'header', name: 'x-absent', operator: 'not_equals', value: '' }, true],
      [{ field: 'header', name: 'x-absent', operator: 'equals', value: '' }, false],
      [{ field: 'header', name: 'x-absent', operator: 'regex', value: '.*' }, false],
      [{ field: 'header', name: 'x-empty', operator: 'regex', value: '.*' }, true],
      [{ field: 'header', name: 'x-empty', operator: 'equals', value: '' }, true],
      [{ field: 'header', name: '', operator: 'equals', value: 'opaque' }, true],
      [{ field: 'query', name: 'role', operator: 'equals', value: 'user' }, true],
      [{ field: 'query', name: 'role', operator: 'equals', value: 'admin x' }, true],
      [{ field: 'query', name: 'role', operator: 'not_equals', value: 'admin x' }, false],
      [{ field: 'query', name: 'role', operator: 'equals', value: 'secret' }, false],
      [{ field: 'query', name: 'role', operator: 'equals', value: 'role' }, false],
      [{ field: 'query', name: 'role', operator: 'contains', value: '=' }, false],
      [{ field: 'query', name: 'Role', operator: 'equals', value: 'user' }, false],
      [{ field: 'query', name: 'rank', operator: 'starts_with', value: 'ok' }, true],
      [{ field: 'query', name: 'grüße', operator: 'equals', value: 'ja' }, true],
      [{ field: 'query', name: 'tag', operator: 'equals', value: '' }, true],
      [{ field: 'query', name: 'flag', operator: 'equals', value: '' }, true],
      [{ field: 'query', name: 'absent', operator: 'equals', value: '' }, false],
      [{ field: 'query', name: 'absent', operator: 'not_equals', value: 'user' }, true],
    ];
    test.each(named)('%j: %s', (condition, expected) => {
      expect(decide(definition([condition]), keyed)).toBe(expected ? 'block' : 'pass');
    });

    test('also where it stands behind more parameters than are read', () => {
      const padding = Array.from({ length: 5000 }, (_, at) => `p${at}=1`).join('&');
      const rule = definition([{ field: 'query', name: 'role', operator: 'equals', value: 'admin' }]);
      expect(decide(rule, request({ target: `/?${padding}&role=admin` }))).toBe('block');
    });

    test('beside the categories, which pass over what is harmless', () => {
      const compiled = compileCustomRule(
        definition([{ field: 'query', name: 'role', operator: 'equals', value: 'admin' }]),
      );
      if (!compiled.ok) throw new Error('refused');
      const policy = compilePolicy({
        securityLevel: 'medium',
        categories: choices('medium'),
        customRules: [compiled.rule],
      });
      expect(inspect(policy, query('admin', 'role'))).toMatchObject({
        decision: 'block',
        matches: [{ target: 'query:role', value: 'admin', span: [0, 5] }],
      });
      expect(inspect(policy, query('admin')).decision).toBe('pass');
    });

    test('and say which it was, also where it did not come', () => {
      const compiled = compileCustomRule(
        definition([{ field: 'header', name: 'X-Api-Key', operator: 'not_equals', value: 'secret' }]),
      );
      if (!compiled.ok) throw new Error('refused');
      const policy = compilePolicy({ securityLevel: 'low', categories: {}, customRules: [compiled.rule] });
      expect(inspect(policy, request()).matches).toMatchObject([{ target: 'header:x-api-key', value: '' }]);
    });
  });

  test.each([
    '/admin',
    '/%61dmin',
    '//admin',
    '/./admin',
    '/x/../admin',
    '/admin;v=1',
    '/x%2f..%2fadmin',
    '/\\admin',
  ])('a rule for a path sees it as %s too', (path) => {
    const rule = definition([{ field: 'path', operator: 'equals', value: '/admin' }]);
    expect(decide(rule, request({ target: path }))).toBe('block');
  });

  test('AND asks for all, OR for one', () => {
    const rules: CustomCondition[] = [
      { field: 'method', operator: 'equals', value: 'POST' },
      { field: 'body', operator: 'contains', value: 'grüße' },
    ];
    const body = Buffer.from('{"a":"viele grüße"}').toString('latin1');
    expect(decide(definition(rules), post('application/json', body))).toBe('block');
    expect(decide(definition(rules), post('application/json', '{}'))).toBe('pass');
    expect(decide(definition(rules, { conditions: { operator: 'OR', rules } }), post('text/plain', ''))).toBe(
      'block',
    );
  });

  test('a log rule records and goes on, one that challenges challenges, a redirect says where', () => {
    const always: CustomCondition = { field: 'path', operator: 'starts_with', value: '/' };
    expect(decide(definition([always], { action: 'log' }))).toBe('pass');
    expect(decide(definition([always], { action: 'challenge' }))).toBe('challenge');
    const compiled = compileCustomRule(definition([always], { action: 'redirect', location: '/sorry' }));
    if (!compiled.ok) throw new Error('refused');
    const policy = compilePolicy({ securityLevel: 'low', categories: {}, customRules: [compiled.rule] });
    expect(inspect(policy, request())).toMatchObject({
      decision: 'redirect',
      location: '/sorry',
      decidedBy: { ruleId: 'rule_1' },
    });
  });

  describe('that allow', () => {
    const union = query("1' UNION SELECT password FROM users--");
    const judge = (rules: readonly CustomRuleDefinition[], sent = union) => {
      const customRules = rules.map((rule) => {
        const compiled = compileCustomRule(rule);
        if (!compiled.ok) throw new Error(compiled.issues[0]?.message);
        return compiled.rule;
      });
      return inspect(
        compilePolicy({ securityLevel: 'medium', categories: choices('medium'), customRules }),
        sent,
      );
    };
    const always: CustomCondition = { field: 'path', operator: 'starts_with', value: '/search' };
    const allowing = definition([always], { id: 'allow', action: 'allow' });

    test('let a request pass the rules that follow and the categories', () => {
      expect(judge([]).decision).toBe('block');
      const verdict = judge([allowing, definition([always])]);
      expect(verdict).toMatchObject({ decision: 'allow', decidedBy: { ruleId: 'allow' }, score: 0 });
      expect(verdict.matches.map(({ ruleId }) => ruleId)).toEqual(['allow']);
      expect(verdict.silent).toBeUndefined();
      expect(judge([{ ...allowing, logs: false }]).silent).toBe(true);
    });

    test('not those that stand before', () => {
      expect(judge([definition([always]), allowing]).decision).toBe('block');
      const noticed = judge([definition([always], { action: 'log' }), allowing]);
      expect(noticed.matches.map(({ ruleId }) => ruleId)).toEqual(['rule_1', 'allow']);
    });

    const under = (operator: CustomCondition['operator'], value: string, path: string) =>
      judge(
        [definition([{ field: 'path', operator, value }], { action: 'allow' })],
        request({ target: `${path}?q=${encodeURIComponent("1' UNION SELECT a FROM b--")}` }),
      ).decision;

    test.each([
      ['starts_with', '/open/', '/open/a'],
      ['starts_with', '/open/', '/open//a%20b'],
      ['starts_with', '/open/', '/%6fpen/a'],
      ['equals', '/grüße', '/gr%C3%BC%C3%9Fe'],
      ['regex', '^/open/[a-z]+$', '/open/list'],
      ['not_equals', '/admin', '/open'],
    ] as const)('hold where each reading of the path meets them: %s %s, %s', (operator, value, path) => {
      expect(under(operator, value, path)).toBe('allow');
    });

    test.each([
      ['starts_with', '/open/', '/open/../admin'],
      ['starts_with', '/open/', '/open/..%2fadmin'],
      ['starts_with', '/open/', '/open/%2e%2e/admin'],
      ['starts_with', '/open/', '/open/..;/admin'],
      ['starts_with', '/open/', '/open/..%5cadmin'],
      ['starts_with', '/open/', '/open/%252e%252e/admin'],
      ['starts_with', '/open/', '/open/%252e%252e%252fadmin'],
      ['contains', '/open/', '/admin%2f..%2fopen/'],
      ['regex', '/open', '/admin%3b/open/../x'],
      ['not_equals', '/admin', '//admin'],
      ['not_equals', '/admin', '/x/..%2fadmin'],
      ['not_equals', '/admin', '/%252e/admin'],
    ] as const)('and not where one does not, or may not: %s %s, %s', (operator, value, path) => {
      expect(under(operator, value, path)).toBe('block');
    });
  });

  test('a redirect does not apply to the address that it leads to, save of a form that is sent there', () => {
    const always: CustomCondition = { field: 'path', operator: 'starts_with', value: '/' };
    const sent = (location: string, target: string, changes: Parameters<typeof request>[0] = {}) =>
      decide(
        definition([always], { action: 'redirect', location }),
        request({ target, scheme: 'https', headers: [['Host', 'Shop.example.com']], ...changes }),
      );
    const own = 'https://shop.example.com';
    for (const [location, target] of [
      ['/', '/'],
      ['/#top', '/'],
      ['/stra\u00dfe?a=b', '/stra%C3%9Fe?a=b'],
      [own, '/'],
      [`${own}?a`, '/?a'],
      [`${own}/a#b`, '/a'],
    ] as const)
      expect([location, sent(location, target)]).toEqual([location, 'pass']);
    for (const [location, target] of [
      ['/', '/?a'],
      ['/a', '/'],
      ['/\ud800', '/'],
      ['http://shop.example.com/', '/'],
      ['https://www.example.com/', '/'],
      [`${own}.org/`, '/.org/'],
    ] as const)
      expect([location, sent(location, target)]).toEqual([location, 'redirect']);
    expect(sent('/', '/', { method: 'POST' })).toBe('redirect');
  });

  test('what cannot be run in bounded time is refused with the reason', () => {
    for (const [value, reason] of [
      ['(a)\\1', /back reference/],
      ['a(?=b)', /lookaround/],
      ['(', /without its \)/],
      ['(?:a{1000}){1000}', /too large/],
    ] as const) {
      const compiled = compileCustomRule(definition([{ field: 'path', operator: 'regex', value }]));
      expect(compiled.ok ? '' : compiled.issues[0]?.message).toMatch(reason);
    }
  });

  test('a pattern that stalls a backtracking engine takes time in step with the text', () => {
    const rule = definition([{ field: 'query', operator: 'regex', value: '(a+)+(a|aa)*$b' }]);
    const judge = (size: number) => expect(decide(rule, query('a'.repeat(size)))).toBe('pass');
    expectLinear(judge, [1250, 20_000], 'a');
  });
});
