import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  parseCookies,
  parseJson,
  parseMultipart,
  parseUrlEncoded,
  parseXml,
  parseXmlPath,
  selectXml,
} from './index.ts';

describe('reading bodies', () => {
  it('keeps every value of JSON, repeated keys and what stands before an error included', () => {
    expect(parseJson('{"a":1,"a":"\\u20ac","b":[null,true,{"c":"x\\n"}],"d":{},"e":[]}')).toEqual({
      args: [
        ['json.a', '1'],
        ['json.a', '\xe2\x82\xac'],
        ['json.b.0', ''],
        ['json.b.1', 'true'],
        ['json.b.2.c', 'x\n'],
      ],
    });
    expect(parseJson('"one"')).toEqual({ args: [['json', 'one']] });
    expect(parseJson('{"a":"x", oops')).toMatchObject({
      args: [['json.a', 'x']],
      error: 'JSON parsing error',
    });
    expect(parseJson('['.repeat(100_000))).toMatchObject({ error: 'JSON parsing error' });
  });

  it('agrees with JSON.parse on what is JSON', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (text) => {
        expect(parseJson(text).error).toBeUndefined();
      }),
    );
  });

  it.each(['', '{', '{"a"}', '[1,]', '{"a":1,}', 'tru', '1 2', '{"a":1]', '"open'])(
    'finds %j to be no JSON',
    (text) => {
      expect(parseJson(text).error).toBeDefined();
    },
  );

  it('reads XML by path, and what it can of a broken one', () => {
    const select = (text: string, path: string) => {
      const { xml } = parseXml(text);
      const steps = parseXmlPath(path);
      return xml && steps && selectXml(xml, steps);
    };
    const text =
      '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><r><s k="v&lt;"/>x<![CDATA[<y>]]>&b;</r>';
    expect(select(text, '/*')).toEqual(['x<y>&b;']);
    expect(select(text, '//@*')).toEqual(['v<']);
    expect(select(text, '/r/s/@k')).toEqual(['v<']);
    expect(parseXml('<r><a>evil')).toMatchObject({ xml: { text: 'evil' }, error: expect.any(String) });
  });

  it('tells of each way in which an upload departs from the grammar', () => {
    const flags = (type: string, body: string) => [...(parseMultipart(type, body).multipart?.flags ?? [])];
    const part = 'Content-Disposition: form-data; name="a"\r\n\r\n1\r\n';
    const type = 'multipart/form-data; boundary=q';
    expect(flags(type, `--q\r\n${part}--q--\r\n`)).toEqual([]);
    expect(flags(type, `x\r\n--q\r\n${part}--q--\r\nrest`)).toEqual(['DATA_BEFORE', 'DATA_AFTER']);
    expect(flags('multipart/form-data; boundary="q"', `--q\r\n${part}--q--`)).toEqual(['BOUNDARY_QUOTED']);
    expect(flags(type, `--q\n${part.replaceAll('\r', '')}--q--\n`)).toContain('LF_LINE');
    expect(flags(type, `--q\r\n${part.replace(' form', '\r\n form')}--q--\r\n`)).toEqual(['HEADER_FOLDING']);
    expect(flags(type, `--q\r\n${part.replaceAll('"', "'")}--q--\r\n`)).toEqual(['INVALID_QUOTING']);
    expect(parseMultipart(type, 'nothing').error).toBeDefined();
  });

  it('takes what a quoted name holds for no parameter, so that a field can not pass as a file', () => {
    const head = 'Content-Disposition: form-data; name="x; filename=y"; b';
    const body = parseMultipart('multipart/form-data; boundary=q', `--q\r\n${head}\r\n\r\nevil\r\n--q--\r\n`);
    expect(body.args).toEqual([['x; filename=y', 'evil']]);
    expect(body.multipart?.files).toEqual([]);
  });

  it.each([
    '<!--',
    '<![CDATA[',
    '<?',
    '<!',
    '<a',
    '<a ',
    '<a b="',
    '</',
    '<a =',
    '<a\t',
    '&#x',
    '<!D [',
    '\r\n\r\n',
    ' name=',
  ])('reads 256 KB of %j at once', (piece) => {
    const text = piece.repeat(262_144 / piece.length);
    const before = process.cpuUsage();
    expect(parseXml(`<r>${text}`).error).toBeDefined();
    parseJson(text);
    const part = `--q\r\nContent-Disposition: form-data; name${text}\r\n\r\n--q--\r\n`;
    parseMultipart('multipart/form-data; boundary=q', part);
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
  });

  it('comes to the end of an XML tag whatever byte stands in it', () => {
    for (let code = 0; code < 256; code += 1) {
      const byte = String.fromCharCode(code);
      for (const tag of [`<a ${byte}`, `<a${byte}b`, `<a b${byte}`, `<a b=${byte}c`, `<${byte}a`]) {
        const { error } = parseXml(`${tag}</a>`);
        expect(error === undefined || error.startsWith('XML')).toBe(true);
      }
    }
  });

  it('reads an XML document with a byte order mark, and sees text beside it', () => {
    expect(parseXml('\xef\xbb\xbf<a/>\n').error).toBeUndefined();
    expect(parseXml('evil<a/>').error).toBeDefined();
    expect(parseXml('<a>1 < 2</a>').xml?.text).toBe('1 < 2');
  });

  it('splits forms and cookies and decodes only forms', () => {
    expect(parseUrlEncoded('a=1+2&b&=c&%41=%zz&&')).toEqual([
      ['a', '1 2'],
      ['b', ''],
      ['', 'c'],
      ['A', '%zz'],
    ]);
    expect(parseCookies('a=%41; b=c=d;e')).toEqual([
      ['a', '%41'],
      ['b', 'c=d'],
      ['e', ''],
    ]);
  });
});
