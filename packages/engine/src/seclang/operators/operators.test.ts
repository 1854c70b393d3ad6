import { describe, expect, it } from 'vitest';
import { parseOperator } from '../syntax/index.ts';
import { buildOperator } from './index.ts';

const macros = { lookup: (variable: string, key?: string) => (key === 'list' ? `${variable} one two` : '') };
const data: Readonly<Record<string, string>> = {
  'a.data': '# c\nfoo\n\nBar baz\n',
  'ip.data': '10.0.0.0/8 # x\n',
};

function satisfied(text: string, value: string): boolean {
  const outcome = buildOperator(parseOperator(text), { read: (name) => data[name] });
  if (!outcome.ok) throw new Error(outcome.reason);
  return (outcome.operator.test(value, macros) !== undefined) !== outcome.operator.negated;
}

describe('operators', () => {
  it.each<[string, string, boolean]>([
    ['@rx ^a.c$', 'a\nc', true],
    ['!@rx ^a', 'b', true],
    ['@rx ^%{tx.list}$', 'TX one two', true],
    ['@pm foo bar', 'a BAR', true],
    ['@pm |41 42|x', 'abx', true],
    ['@pmf a.data', 'bar baz', true],
    ['@pmFromFile a.data', '# c', false],
    ['@contains b', 'abc', true],
    ['@containsWord b', 'abc', false],
    ['@containsWord b', 'a.b.c', true],
    ['@beginsWith a', 'abc', true],
    ['@endsWith .php', 'x.php', true],
    ['@streq a', 'A', false],
    ['@within %{tx.list}', 'two', true],
    ['@eq 0', 'abc', true],
    ['@ge 5', '5', true],
    ['!@lt 5', '7', true],
    ['@validateByteRange 32-126,9', 'a\tb', false],
    ['@validateByteRange 32-126', 'a\0', true],
    ['@validateUrlEncoding', '%4', true],
    ['@validateUrlEncoding', '%41', false],
    ['@validateUtf8Encoding', '\xc3\xa9', false],
    ['@validateUtf8Encoding', '\xc0\xaf', true],
    ['@ipMatch 10.0.0.0/8,::1', '10.2.3.4', true],
    ['@ipMatch 2001:db8::/32', '2001:db8:1::5', true],
    ['@ipMatch 10.0.0.0/8', '11.0.0.1', false],
    ['@ipMatchFromFile ip.data', '10.255.0.1', true],
    ['@unconditionalMatch', '', true],
    ['@noMatch', 'x', false],
    ['@geoLookup', '1.2.3.4', false],
    ['@detectSQLi', "1' or '1'='1", true],
    ['@verifyCC \\d{13,16}', 'no 4111111111111111.', true],
    ['@verifyCC \\d{13,16}', 'no 4111111111111112.', false],
    ['@detectXSS', '<script>', true],
  ])('%s on %j is %s', (text, value, expected) => {
    expect(satisfied(text, value)).toBe(expected);
  });

  it.each(['@rx (', '@pmFromFile none.data', '@ipMatch 300.1.1.1', '@validateByteRange 1-999', '@nosuch x'])(
    'says why %s can not run',
    (text) => {
      expect(buildOperator(parseOperator(text), { read: () => undefined })).toMatchObject({ ok: false });
    },
  );
});
