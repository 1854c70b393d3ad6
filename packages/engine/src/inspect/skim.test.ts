import { deflateRawSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileCustomRule } from '../rules/index.ts';
import { choices, encodeLatin1, post, request } from '../testing/requests.ts';
import { compilePolicy, explain, inspect } from './index.ts';

const policy = compilePolicy({ securityLevel: 'high', categories: choices('high') });

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const payload = "' union select password from users--";
const piece = fc.constantFrom(
  'a',
  'garden chairs',
  '2023-07-03T09:15:06.718Z',
  'select the best union',
  payload,
  "1' or '1'='1",
  '<script>alert(1)</script>',
  '/*',
  '*/union/*',
  '*/select 1',
  ';cat /etc/passwd',
  '{"a":"$(id)"}',
  '\u00e2\u0080\u009d',
  '%3Csvg onload=alert(1)%3E',
  Buffer.from(payload).toString('hex'),
  Buffer.from(payload).toString('base64'),
  base64(gzipSync(payload)),
  base64(deflateRawSync(payload)),
  'x'.repeat(5000),
  'a long sentence of which every form and list holds several',
  `a long sentence of which every form holds several ${payload}`,
);
const name = fc.constantFrom(
  'id',
  'q',
  'name',
  'SAMLRequest',
  'SAMLResponse',
  'a[$ne]',
  '__proto__',
  payload,
);
const pairs = fc.array(fc.tuple(name, piece), { minLength: 1, maxLength: 5 });

describe('what is passed over', () => {
  test('would have changed no verdict', () => {
    fc.assert(
      fc.property(pairs, fc.boolean(), (list, isEncoded) => {
        const write = (text: string) => (isEncoded ? encodeLatin1(text) : text.replace(/[&=;?#\s]/g, '+'));
        const joined = (separator: string) =>
          list.map(([key, text]) => `${write(key)}=${write(text)}`).join(separator);
        const objects = list.map(([key, text]) => ({ [key]: text, same: 'garden chairs' }));
        for (const sent of [
          request({ target: `/find?${joined('&')}` }),
          request({ headers: [['cookie', joined('; ')]] }),
          request({ headers: [['referer', `https://a.test/b?${joined('&')}`]] }),
          post('application/x-www-form-urlencoded', joined('&')),
          post('application/json', JSON.stringify([...objects, ...objects])),
          post('application/json', JSON.stringify({ inner: objects.map((one) => JSON.stringify(one)) })),
        ])
          expect(inspect(policy, sent)).toEqual(explain(policy, sent).verdict);
      }),
      { numRuns: 150 },
    );
  }, 60_000);

  test("is nothing of what the site's own rules look at", () => {
    const own = compileCustomRule({
      id: 'own',
      name: 'Chairs',
      action: 'block',
      severity: 'low',
      conditions: {
        operator: 'AND',
        rules: [{ field: 'body', operator: 'equals', value: 'garden chairs' }],
      },
    });
    if (!own.ok) throw new Error('the rule compiles');
    const withOwn = compilePolicy({
      securityLevel: 'medium',
      categories: choices('medium'),
      customRules: [own.rule],
    });
    const sent = post('application/json', '{"item":"garden chairs"}');
    expect(inspect(withOwn, sent).decidedBy).toEqual({ ruleId: 'own' });
    expect(inspect(policy, sent).decision).toBe('pass');
  });
});
