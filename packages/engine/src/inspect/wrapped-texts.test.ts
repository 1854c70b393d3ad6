import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { query } from '../testing/requests.ts';
import { compilePolicy } from './compile.ts';
import { inspect } from './inspect.ts';
import { wrappedTexts } from './wrapped-texts.ts';

const payload = "' union select password from users--";
const value = (text: string, name = 'q') =>
  ({ part: 'query', name, isName: false, text, source: text, at: 0, decoders: [] }) as const;
const texts = (text: string, name?: string) => wrappedTexts(value(text, name), true).map((one) => one.text);
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

describe('a text in another form', () => {
  test('is read out of hexadecimal digits, with or without 0x', () => {
    const digits = Buffer.from(payload).toString('hex');
    expect(texts(digits)).toEqual([payload]);
    expect(texts(`0x${digits.toUpperCase()}`)).toEqual([payload]);
  });

  test('is read out of gzip wherever it stands, of zlib where the value begins, of the deflate of SAML', () => {
    expect(texts(`v1.${base64(gzipSync(payload))}.sig`)).toEqual([payload]);
    expect(texts(base64(deflateSync(payload)))).toEqual([payload]);
    expect(texts(base64(deflateRawSync(payload)), 'SAMLRequest')).toEqual([payload]);
  });

  test('is cut at its bound', () => {
    expect(texts(base64(gzipSync('a'.repeat(5_000_000))))[0]).toHaveLength(16384);
    expect(texts('61'.repeat(100_000))[0]?.length).toBeLessThanOrEqual(16384);
  });

  test.each([
    'da39a3ee5e6b4b0d3255bfef95601890afd80709',
    '1234567890123456',
    'H4sI',
    'H4sIAAAA no archive',
    'eNo',
    'eJwords that begin so',
    '',
  ])('is not seen in %s', (text) => {
    expect(texts(text)).toEqual([]);
  });

  test('is inspected, and the explanation says what was undone', () => {
    const policy = compilePolicy({
      securityLevel: 'medium',
      categories: { sql_injection: { enabled: true, mode: 'block', sensitivity: 'medium' } },
    });
    const verdict = inspect(policy, query(base64(gzipSync(payload))));
    expect(verdict.decision).toBe('block');
    expect(verdict.matches[0]?.transformations).toContain('inflate');
  });
});
