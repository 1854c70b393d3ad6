import { describe, expect, test } from 'vitest';
import { compilePolicy, inspect } from '../inspect/index.ts';
import { choices, post } from '../testing/requests.ts';
import { readableTexts } from './index.ts';

const policy = compilePolicy({ securityLevel: 'medium', categories: choices('medium') });

/** Bytes of a seeded generator (xorshift), as latin1. */
function noise(seed: number, length: number): string {
  let state = (seed * 2_654_435_761) >>> 0 || 1;
  let text = '';
  for (let at = 0; at < length; at += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    text += String.fromCharCode((state >>> 11) & 255);
  }
  return text;
}

function field(content: string, disposition = ''): string {
  return `--b\r\nContent-Disposition: form-data; name="f"${disposition}\r\n\r\n${content}\r\n--b--\r\n`;
}

const blob = (content: string) => post('multipart/form-data; boundary=b', field(content));

describe('binary data', () => {
  test.each([
    ['without a type', (bytes: string) => post('', bytes)],
    ['as octets', (bytes: string) => post('application/octet-stream', bytes)],
    ['as an image', (bytes: string) => post('image/png', `\x89PNG\r\n\x1a\n\0\0\0\rIHDR${bytes}`)],
    ['as an archive', (bytes: string) => post('application/zip', `PK\x03\x04${bytes}`)],
    ['as a protocol buffer', (bytes: string) => post('application/x-protobuf', bytes)],
    [
      'as an office document',
      (bytes: string) =>
        post('application/vnd.openxmlformats-officedocument.wordprocessingml.document', bytes),
    ],
    [
      'as a form, as curl declares files',
      (bytes: string) => post('application/x-www-form-urlencoded', bytes),
    ],
    ['as text', (bytes: string) => post('text/plain', bytes)],
    [
      'in a file part',
      (bytes: string) => post('multipart/form-data; boundary=b', field(bytes, '; filename="a.bin"')),
    ],
    ['in a field', blob],
    [
      'in a string of JSON, a character a byte',
      (bytes: string) =>
        post(
          'application/json',
          Buffer.from(JSON.stringify({ a: bytes.slice(0, 60_000) })).toString('latin1'),
        ),
    ],
  ])(
    '%s is never blocked',
    (_how, make) => {
      for (const size of [40, 300, 2000, 16_000, 120_000]) {
        for (let seed = 1; seed <= 12; seed += 1) {
          const verdict = inspect(policy, make(noise(seed * 1000 + size, size)));
          expect({ size, seed, decision: verdict.decision, matches: verdict.matches }).toMatchObject({
            decision: 'pass',
          });
        }
      }
    },
    60_000,
  );
});

describe('an attack beside binary data', () => {
  const attack = "1' union select password from users-- ";

  test.each([
    ['after much noise', `${noise(1, 50_000)}${attack}${noise(2, 50_000)}`],
    ['behind two bytes', `\0\x01${attack}`],
    ['with bytes strewn in', `1' union\x01 select \x02password \x03from users-- `],
    ['behind a head of noise in a text', `${noise(3, 600)}${'lorem ipsum '.repeat(20)}${attack}`],
    ['in a text that turns to noise', `${attack}${noise(4, 4000)}`],
    ['after bytes of no character set', `${'\xff\x80'.repeat(40)}\x01${attack}`],
    ['with a control character for each space', `${attack.replaceAll(' ', '\x02 ')}`],
    [
      'with control characters for spaces in a long text',
      `${'lorem ipsum\x01'.repeat(900)}${attack.replaceAll(' ', '\x02 ')}`,
    ],
    ['as UTF-16', `${[...attack].join('\0')}\0`],
    ['in a protocol buffer', `\x0a\x03abc\x12\x26${attack}\x18\x05`],
  ])('%s is found, in a body and in a field', (_where, content) => {
    expect(inspect(policy, post('', content)).decision).toBe('block');
    expect(inspect(policy, post('application/octet-stream', content)).decision).toBe('block');
    expect(inspect(policy, blob(content)).decision).toBe('block');
  });

  test('a form stays a form whatever bytes stand before it', () => {
    const form = `a=${'\x01'.repeat(600)}&q=1%27%20union%20select%20password%20from%20users--%20`;
    expect(inspect(policy, post('application/x-www-form-urlencoded', form)).decision).toBe('block');
    expect(
      inspect(policy, post('application/x-www-form-urlencoded', `a=\x01\x02&q=%3Bcat%20/etc/passwd`))
        .decision,
    ).toBe('block');
  });

  test.each([
    ['a short command between a few bytes', '\x01\x02;cat /etc/passwd\x03'],
    [
      'a payload shorter than chance in much noise, in text',
      `${noise(5, 60_000)}${'word '.repeat(40)};cat /etc/hosts;${' word'.repeat(40)}`,
    ],
  ])('%s is found', (_where, content) => {
    expect(inspect(policy, post('text/plain', content)).decision).toBe('block');
  });

  test('a web shell in an image is found by the rules of uploads', () => {
    const image = `\xff\xd8\xff\xe0${noise(6, 30_000)}<?php system($_GET['c']); ?>${noise(7, 30_000)}`;
    const sent = field(image, '; filename="a.jpg"');
    expect(inspect(policy, post('multipart/form-data; boundary=b', sent)).decidedBy?.category).toBe(
      'file_upload',
    );
    expect(inspect(policy, post('image/jpeg', image)).decision).toBe('block');
  });
});

describe('readableTexts', () => {
  test('gives a text whole, whatever its character set', () => {
    for (const text of [
      '',
      'plain',
      'a\x0bb\x0cc',
      '\xe4\xf6\xfc'.repeat(50),
      'a few\x01 odd \x02bytes in a line of text',
    ])
      expect(readableTexts(text)).toEqual([text]);
  });

  test('of noise, gives runs that chance does not explain', () => {
    const short = `${'\x01'.repeat(4000)}ab;id${'\x01'.repeat(4000)}`;
    const long = `${'\x01'.repeat(4000)}a run of forty characters, by no accident${'\x01'.repeat(4000)}`;
    expect(readableTexts(short)).toEqual([]);
    expect(readableTexts(long)).toEqual(['a run of forty characters, by no accident']);
  });

  test('gives a flood of runs as a bounded number of texts, and loses none', () => {
    const flood = `a string of a table${'\x01'.repeat(40)}`.repeat(1000);
    const found = readableTexts(flood);
    expect(found.length).toBeLessThanOrEqual(513);
    expect(found.join('').split('table').length).toBe(1001);
  });
});
