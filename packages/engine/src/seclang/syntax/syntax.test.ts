import { describe, expect, it } from 'vitest';
import { parseActions, parseOperator, parseTargets, readDirectives } from './index.ts';

describe('reading a rule file', () => {
  it('joins continued lines, skips comments and tells the line on which a directive begins', () => {
    const text =
      '# a comment\n\nSecRule ARGS \\\n    "@rx a" \\\r\n    "id:1,\\\n    phase:2"\nSecMarker END';
    expect(readDirectives('a.conf', text)).toEqual([
      { name: 'SecRule', words: ['ARGS', '@rx a', 'id:1,    phase:2'], file: 'a.conf', line: 3 },
      { name: 'SecMarker', words: ['END'], file: 'a.conf', line: 7 },
    ]);
  });

  it.each([
    ['SecRule A "a\\"b"', 'a"b'],
    ["SecRule A 'a\"b'", 'a"b'],
    ['SecRule A "a\\\\\\\\b"', 'a\\\\b'],
    ['SecRule A "\\d\\x5c"', '\\d\\x5c'],
    ['SecRule A "never closed', 'never closed'],
  ])('reads the quoted word of %s', (line, word) => {
    expect(readDirectives('f', line)[0]?.words[1]).toBe(word);
  });

  it('never throws, whatever the text', () => {
    for (const text of ['', '\\', '"', "'", '\\\n\\\n', 'SecRule "\\', '\0\xff']) {
      expect(() => readDirectives('f', text)).not.toThrow();
    }
  });
});

describe('variables of a rule', () => {
  it('keeps separators inside patterns and XPath with the selector', () => {
    expect(
      parseTargets("ARGS|!ARGS:/a|b:c/|&TX:'/x\\/y|z/'|XML:/*|XML://@*|REQUEST_HEADERS:User-Agent"),
    ).toEqual([
      { variable: 'ARGS', count: false, exclude: false },
      { variable: 'ARGS', count: false, exclude: true, selector: { kind: 'pattern', source: 'a|b:c' } },
      { variable: 'TX', count: true, exclude: false, selector: { kind: 'pattern', source: 'x\\/y|z' } },
      { variable: 'XML', count: false, exclude: false, selector: { kind: 'name', name: '/*' } },
      { variable: 'XML', count: false, exclude: false, selector: { kind: 'name', name: '//@*' } },
      {
        variable: 'REQUEST_HEADERS',
        count: false,
        exclude: false,
        selector: { kind: 'name', name: 'User-Agent' },
      },
    ]);
  });
});

describe('operator and actions of a rule', () => {
  it.each([
    ['@rx ^a ', { name: 'rx', argument: '^a ', negated: false }],
    ['!@within %{tx.a} ', { name: 'within', argument: '%{tx.a}', negated: true }],
    ['! @eq 0', { name: 'eq', argument: '0', negated: true }],
    ['plain', { name: 'rx', argument: 'plain', negated: false }],
    ['!plain', { name: 'rx', argument: 'plain', negated: true }],
    ['@detectSQLi', { name: 'detectsqli', argument: '', negated: false }],
  ])('reads the operator %s', (text, operator) => {
    expect(parseOperator(text)).toEqual(operator);
  });

  it('keeps commas inside quotes and takes the quotes off', () => {
    expect(parseActions("id:1, phase:2,msg:'a, b: \\'c\\'',setvar:'tx.a=+%{tx.b}',t:none")).toEqual([
      { name: 'id', value: '1' },
      { name: 'phase', value: '2' },
      { name: 'msg', value: "a, b: 'c'" },
      { name: 'setvar', value: 'tx.a=+%{tx.b}' },
      { name: 't', value: 'none' },
    ]);
  });
});
