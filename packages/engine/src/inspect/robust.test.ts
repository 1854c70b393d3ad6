import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { InspectedRequest } from '../parse/index.ts';
import { choices, post, query, request } from '../testing/requests.ts';
import { compilePolicy, explain, inspect } from './index.ts';

const policy = compilePolicy({ securityLevel: 'high', categories: choices('high') });
const byte = fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code));
const syntax = fc.constantFrom(
  '{',
  '}',
  '[',
  ']',
  '"',
  ':',
  ',',
  '\\',
  '\\u',
  '--x',
  '\r\n',
  '\r\n\r\n',
  'Content-Disposition: form-data; name=',
  '; filename="a',
  '<',
  '>',
  '<![CDATA[',
  '<!--',
  '&',
  '=',
  '%',
  '%u',
  ';',
  "'",
  '\0',
  'a',
  '1',
  'null',
);
const mess = fc.array(fc.oneof(byte, syntax), { maxLength: 60 }).map((pieces) => pieces.join(''));
const types = [
  '',
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'multipart/form-data',
  'text/xml',
  'application/octet-stream',
  'text/plain',
  ';;;',
];

describe('malformed requests', () => {
  test('never throw, whatever is broken about them', () => {
    const anything: fc.Arbitrary<InspectedRequest> = fc.record({
      method: mess,
      target: mess,
      httpVersion: mess,
      scheme: fc.constantFrom('http', 'https'),
      headers: fc.array(
        fc.tuple(
          fc.oneof(
            mess,
            fc.constantFrom(
              'cookie',
              'referer',
              'host',
              'content-type',
              'content-length',
              'transfer-encoding',
              'origin',
            ),
          ),
          mess,
        ),
        { maxLength: 6 },
      ),
      body: mess,
      clientIp: mess,
    });
    fc.assert(
      fc.property(
        anything,
        fc.constantFrom(...types),
        fc.constantFrom('', 'gzip', 'deflate', 'br'),
        (broken, type, coding) => {
          const headers = [
            ...broken.headers,
            ['content-type', type] as const,
            ['content-encoding', coding] as const,
          ];
          const verdict = inspect(policy, { ...broken, headers });
          for (const { span, value } of verdict.matches) {
            expect(span[0]).toBeGreaterThanOrEqual(0);
            expect(span[1]).toBeLessThanOrEqual(value.length);
            expect(span[0]).toBeLessThanOrEqual(span[1]);
          }
        },
      ),
      { numRuns: 1500 },
    );
  });

  test.each(types)('cut anywhere, a body of type %s still yields a verdict', (type) => {
    const whole =
      '{"a":["b",{"c":"\\u00e9"}]}--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--x--<a b="c">d</a>&e=f%20g';
    for (let length = 0; length <= whole.length; length += 1) {
      expect(inspect(policy, post(type, whole.slice(0, length))).decision).toBeDefined();
    }
  });

  test('bytes and latin1 text of a body are judged alike', () => {
    fc.assert(
      fc.property(mess, fc.constantFrom(...types), (body, type) => {
        const asText = post(type, body);
        expect(inspect(policy, { ...asText, body: Uint8Array.from(Buffer.from(body, 'latin1')) })).toEqual(
          inspect(policy, asText),
        );
      }),
      { numRuns: 300 },
    );
  });
});

describe('bounds', () => {
  const medium = compilePolicy({ securityLevel: 'medium', categories: choices('medium') });

  test('a payload deep inside a long value is found', () => {
    for (const before of [0, 5000, 8100, 8192, 20_000, 100_000]) {
      const body = `${'lorem ipsum '.repeat(before / 12)}<script>alert(1)</script>${' dolor'.repeat(2000)}`;
      expect(inspect(medium, post('text/plain', body)).decision).toBe('block');
    }
  });

  test('what exceeds a limit is said', () => {
    const nested = `${'['.repeat(200)}${']'.repeat(200)}`;
    expect(inspect(medium, post('application/json', nested)).matches.map(({ ruleId }) => ruleId)).toContain(
      'size-depth',
    );
    const many = Array.from({ length: 5000 }, (_unused, index) => `a${index}=1`).join('&');
    expect(inspect(medium, request({ target: `/?${many}` })).matches.map(({ ruleId }) => ruleId)).toContain(
      'size-arguments',
    );
    expect(explain(medium, request({ target: `/?${many}` })).oddities).toContain('arguments over limit');
    expect(inspect(medium, post('text/plain', 'x'.repeat(200_000))).decidedBy?.category).toBe('size_limit');
  });

  test('nested encodings end after a few rounds', () => {
    let wrapped = 'alert(1)';
    for (let round = 0; round < 12; round += 1) wrapped = Buffer.from(wrapped).toString('base64');
    expect(inspect(medium, query(wrapped)).decision).toBe('pass');
  });
});
