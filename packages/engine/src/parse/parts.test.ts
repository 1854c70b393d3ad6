import { describe, expect, test } from 'vitest';
import { expectLinear } from '../testing/growth.ts';
import { post, request } from '../testing/requests.ts';
import { defaultLimits, parseRequest } from './index.ts';

const textsOf = (part: string, of: ReturnType<typeof request>) =>
  parseRequest(of, defaultLimits)
    .values.filter((value) => value.part === part && !value.isName)
    .map((value) => value.text);

describe('XML', () => {
  test('a > inside an attribute does not end its tag', () => {
    expect(textsOf('xml', post('text/xml', '<a b="x>y" c=\'p>q\'>text</a>'))).toEqual(['x>y', 'p>q', 'text']);
  });

  test('character references are undone, in CDATA they are text', () => {
    const body = '<a b="1 &gt; 0">&lt;b&gt; &amp;lt;<![CDATA[&lt;]]></a>';
    expect(textsOf('xml', post('text/xml', body))).toEqual(['1 > 0', '<b> &lt;', '&lt;', '<b> &lt;&lt;']);
  });

  test('quotes without a partner cost no more than one, and hide nothing', () => {
    const read = (count: number) => {
      const texts = textsOf('xml', post('text/xml', `${'<a "'.repeat(count)}<b>text</b>`));
      expect(texts.some((text) => text.endsWith('text'))).toBe(true);
    };
    expectLinear(read, [1875, 30_000], '<a "');
  });
});

describe('a path', () => {
  test('gives its encoded pieces one by one beside the whole', () => {
    expect(textsOf('path', request({ target: '/items/1%20or%201=1/a' }))).toEqual([
      '/items/1%20or%201=1/a',
      '1%20or%201=1',
    ]);
    expect(textsOf('path', request({ target: '/items/1/a' }))).toEqual(['/items/1/a']);
  });
});

describe('a body that is a file', () => {
  const zeros = 'lib\0\0\0name\0'.repeat(600);

  test.each([
    ['a program', '', '\x7fELF\x02\x01\x01'],
    ['a program of Windows', 'application/x-msdownload', 'MZ\x90\0\x03\0\0\0'],
    ['compiled Python', 'application/octet-stream', '\xa7\r\r\n\0\0\0\0'],
    ['a message catalogue', 'application/octet-stream', '\xde\x12\x04\x95\0\0\0\0'],
    ['an archive', 'application/zip', 'PK\x03\x04'],
    ['the middle of a program', 'application/octet-stream', zeros],
  ])('%s is judged as an upload', (_what, type, head) => {
    expect(textsOf('file', post(type, `${head}/bin/sh -c id`))).toHaveLength(1);
  });

  test.each([
    ['declared as a form', 'application/x-www-form-urlencoded', 'PK\x03\x04'],
    ['declared as text', 'text/plain', '\x7fELF'],
    ['a serialised Java object', 'application/octet-stream', '\xac\xed\0\x05sr'],
    ['UTF-16', 'application/octet-stream', [...'select '.repeat(700)].join('\0')],
    ['text', 'application/octet-stream', 'x'.repeat(5000)],
  ])('%s is not', (_what, type, head) => {
    expect(textsOf('file', post(type, `${head} and more`))).toEqual([]);
  });
});

test('a body in a code page whose letters are no ASCII says so', () => {
  const oddOf = (type: string) => [...parseRequest(post(type, 'a=b'), defaultLimits).oddities];
  const form = 'application/x-www-form-urlencoded';
  for (const name of ['ibm037', 'IBM-1047', '"cp500"', 'x-ebcdic'])
    expect(oddOf(`${form}; charset=${name}`)).toEqual(['unknown charset']);
  for (const name of ['utf-8', 'iso-8859-1', 'cp1252', 'ibm850', 'cp437', 'cp936'])
    expect(oddOf(`${form}; charset=${name}`)).toEqual([]);
});
