import { describe, expect, test } from 'vitest';
import type { InspectedRequest } from '../parse/index.ts';
import { expectLinear, foldOf } from '../testing/growth.ts';
import { choices, post } from '../testing/requests.ts';
import { compilePolicy, inspect } from './index.ts';

const policy = compilePolicy({ securityLevel: 'high', categories: choices('high') });
const form = 'application/x-www-form-urlencoded';
const json = 'application/json';
const plain = 'text/plain';

function filled(piece: string, size: number): string {
  return piece.repeat(Math.ceil(size / piece.length)).slice(0, size);
}

/** Bodies of one piece over and over, each of which keeps some part of the engine busy. */
const pieces: readonly [type: string, piece: string][] = [
  ...['%25252525', '%252527', "'", '..%2f', 'a+b', 'a=1&', '%u0027', '+ADw-'].map(
    (piece) => [form, piece] as [string, string],
  ),
  ...[
    "' or ",
    `" or '`,
    '1/*!',
    '/*',
    '-- ',
    '#\n',
    "'#",
    '@@x',
    "select a, (b) from c where d = 'e' -- x\n",
  ],
  ...['union select ', 'select(', ';do ;call ', 'we select a union of tables and order the group by user '],
  ...[
    '<a ',
    '<a b="c" on=',
    '<\0a\0',
    '<!--',
    ' onx=',
    'java script:',
    'alert(',
    '[](+!',
    '${a:',
    '{{',
    '{%',
  ],
  ...['$(', '$(ls;', ';cat x', '|&;`', "c''at;", '\n', ' ', '\0', 'exec(system(', '((=|&', '*)(', "']|//x["],
  ...[
    '../',
    '..\\',
    'a.b.',
    '//',
    'http://10.0.0.1@a ',
    '&#x26;',
    '\\u005c',
    '\\',
    '\xef\xbc\x87',
    '\xc0\xa7',
  ],
].map((one) => (typeof one === 'string' ? [plain, one] : one));

const built: readonly [name: string, of: (size: number) => InspectedRequest][] = [
  ['tiny fields of JSON', (size) => post(json, `{${filled('"a":"b1",', size - 10)}"z":"yy"}`)],
  ['deep JSON', (size) => post(json, filled('[', size))],
  [
    'JSON in JSON',
    (size) => post(json, JSON.stringify([JSON.stringify([JSON.stringify([filled('x\\"', size / 8)])])])),
  ],
  [
    'base64 in words',
    (size) => post(plain, filled(`${btoa('select a from b; cat /etc/passwd <a href=x>')} `, size)),
  ],
  ['base64 throughout', (size) => post(plain, btoa(filled("' union select 1 ", size * 0.75)))],
  [
    'parts',
    (size) =>
      post(
        'multipart/form-data; boundary=x',
        filled('--x\r\nContent-Disposition: form-data; name="a"; filename="b"\r\n\r\n<?php\r\n', size),
      ),
  ],
  ['elements', (size) => post('text/xml', `<a>${filled('<b c="d">e</b>', size)}`)],
  [
    'noise',
    (size) =>
      post(
        'application/octet-stream',
        Buffer.from(
          Array.from({ length: size }, (_unused, at) => (at * 7919 + ((at * at) >> 3)) & 255),
        ).toString('latin1'),
      ),
  ],
];

describe('the worst that a body can do', () => {
  const cases = [
    ...pieces.map(
      ([type, piece]) => [JSON.stringify(piece), (size: number) => post(type, filled(piece, size))] as const,
    ),
    ...built,
  ];

  test('there are many ways', () => expect(cases.length).toBeGreaterThan(60));

  test.each(cases)('%s: cost grows as size does, up to 128 KB', (name, of) => {
    const requests = new Map([8192, 131_072].map((size) => [size, of(size)] as const));
    expectLinear((size) => void inspect(policy, requests.get(size) ?? of(size)), [8192, 131_072], name);
  });
});

/** A list whose values no rule sees together. */
const list = (text: string) =>
  post(json, JSON.stringify(Array.from({ length: 560 }, (_unused, index) => `${index}${filled(text, 200)}`)));
const text = (piece: string) => post(plain, filled(piece, 131_072));

describe('a body of 128 KB costs no more than a few harmless ones', () => {
  const harmless = 'somebody wrote of the weather this morning, and nobody read it. ';

  test.each([
    ['openings of lookups and what may stand between them', text, '${         toP', 6],
    ['commands in backticks, which ask whether the whole is Markdown', text, ',  (`DD', 6],
    ['words of which nothing is left', text, '\\;', 6],
    ['brackets that might open a subquery', list, `${'('.repeat(180)}1) declare`, 2.6],
    ['tags within the attributes of tags', list, '<a id="', 5],
    ['tags within addresses', list, '<a action=/', 5],
  ])('%s', (_told, send, piece, most) => {
    const often = (request: InspectedRequest) => () => {
      for (let round = 0; round < 4; round += 1) inspect(policy, request);
    };
    expect(foldOf(often(send(piece)), often(send(harmless)))).toBeLessThan(most);
  });
});
