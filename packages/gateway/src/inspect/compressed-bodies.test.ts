import { crc32, deflateRawSync, deflateSync, gzipSync, inflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ask, startGateway, startUpstream } from '../testing/index.ts';

const form = 'application/x-www-form-urlencoded';
const attack = "&id=1' UNION SELECT username,password FROM users-- -&x=1";
const harmless = 'q=hello&page=2';

interface Header {
  readonly extra?: string;
  readonly name?: string;
  readonly comment?: string;
}

/** RFC 1952 §2.3: one member with header fields of the test's choice. */
function member(text: string, { extra, name, comment }: Header = {}): Buffer {
  const flags =
    (extra === undefined ? 0 : 4) + (name === undefined ? 0 : 8) + (comment === undefined ? 0 : 16);
  const length = Buffer.alloc(2);
  length.writeUInt16LE(extra?.length ?? 0);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(text), 0);
  trailer.writeUInt32LE(text.length, 4);
  return Buffer.concat([
    Buffer.from([0x1f, 0x8b, 8, flags, 0, 0, 0, 0, 0, 3]),
    ...(extra === undefined ? [] : [length, Buffer.from(extra, 'latin1')]),
    ...[name, comment].map((field) => Buffer.from(field === undefined ? '' : `${field}\0`, 'latin1')),
    deflateRawSync(text),
    trailer,
  ]);
}

/** RFC 1951 §3.2.4. */
function stored(text: string, last: boolean): Buffer {
  const head = Buffer.from([last ? 1 : 0, 0, 0, 0, 0]);
  head.writeUInt16LE(text.length, 1);
  head.writeUInt16LE(0xffff - text.length, 3);
  return Buffer.concat([head, Buffer.from(text, 'latin1')]);
}

/**
 * A text that is itself compressed data: a block of fixed codes (RFC 1951 §3.2.6) that begins with five literals of nine
 * bits, so that the text stands on whole bytes, behind as much as a copy may reach back to. What it decompresses to is
 * a few letters.
 */
const asCodes = (text: string) =>
  Buffer.concat([
    stored('a'.repeat(32_768), false),
    Buffer.from([0x9b, 0x30, 0x61, 0xc2, 0x84, 0x09]),
    Buffer.from(`${text}\0\0\0\0`, 'latin1'),
  ]);

const sent: [name: string, coding: string, body: Buffer, type?: string][] = [
  ['a name in the header of gzip', 'gzip', member(harmless, { name: attack })],
  ['a comment there', 'gzip', member(harmless, { comment: attack })],
  ['an extra field there', 'gzip', member(harmless, { extra: attack })],
  ['a name of a second member', 'gzip', Buffer.concat([member('q=hel'), member('lo', { name: attack })])],
  ['what follows gzip', 'gzip', Buffer.concat([gzipSync(harmless), Buffer.from(attack)])],
  ['what follows zlib', 'deflate', Buffer.concat([deflateSync(harmless), Buffer.from(attack)])],
  ['what follows deflate', 'deflate', Buffer.concat([deflateRawSync(harmless), Buffer.from(attack)])],
  ['a name, under another name of gzip', 'x-gzip', member(harmless, { name: attack })],
  ['the codes of a block', 'deflate', asCodes(`&a3=1${attack.slice(0, -3)}b=`)],
  ['a name, and no type', 'gzip', member('hello', { name: attack }), ''],
  [
    'a field of multipart in a name',
    'gzip',
    member('hello', {
      name: `\r\n--b\r\nContent-Disposition: form-data; name="id"\r\n\r\n${attack.slice(4, -4)}\r\n--b--\r\n`,
    }),
    'multipart/form-data; boundary=b',
  ],
];

const json = JSON.stringify({ events: Array.from({ length: 300 }, (_, at) => ({ at, name: `view ${at}` })) });

const passing: [name: string, coding: string, body: Buffer][] = [
  ['gzip', 'gzip', gzipSync(json)],
  ['gzip of a named file', 'gzip', member(json, { name: 'events-2026-11.json' })],
  ['gzip that stores', 'gzip', gzipSync(json, { level: 0 })],
  ['gzip of two members', 'gzip', Buffer.concat([member(json.slice(0, 900)), member(json.slice(900))])],
  ['zlib', 'deflate', deflateSync(json)],
  ['deflate', 'deflate', deflateRawSync(json)],
];

describe('a compressed body', () => {
  test('may be a text that decompresses to another', () => {
    const decoded = inflateRawSync(asCodes(`&a3=1${attack.slice(0, -3)}b=`)).toString('latin1');
    expect(decoded.slice(32_768)).toMatch(/^\x90{5}4V/);
    expect(decoded).not.toContain('SELECT');
  });

  test.each(sent)(
    'that is an attack to who does not decompress it: %s',
    async (_name, coding, body, type = form) => {
      await using upstream = await startUpstream();
      await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
      const headers = { ...(type && { 'Content-Type': type }), 'Content-Encoding': coding };
      const answer = await ask(gateway.port, '/', { method: 'POST', headers, body });
      expect(answer.status).toBe(403);
      await gateway.sink.event(({ category }) => category === 'sql_injection');
      expect(upstream.requests).toHaveLength(0);
    },
  );

  test.each(passing)('of an ordinary client goes on as it came: %s', async (_name, coding, body) => {
    await using upstream = await startUpstream((request, response) => request.pipe(response));
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': coding };
    const answer = await ask(gateway.port, '/', { method: 'POST', headers, body });
    expect([answer.status, answer.body]).toEqual([200, body.toString()]);
    expect(upstream.requests[0]?.headers['content-encoding']).toBe(coding);
  });
});
