import { describe, expect, test } from 'vitest';
import { compilePolicy, inspect } from '../../inspect/index.ts';
import { blocks, passes } from '../../testing/payloads.ts';
import { choices, post, request } from '../../testing/requests.ts';

const policy = compilePolicy({
  securityLevel: 'medium',
  categories: choices('medium', ['header_injection']),
});

describe('header_injection', () => {
  blocks('header_injection', [
    'x\r\nSet-Cookie: a=b',
    'x\nLocation: http://x.example',
    'x\r\n\r\nHTTP/1.1 200 OK',
    'en\r\nContent-Length: 0',
    'a@b.example\nBcc: c@d.example',
    'x\r\nGET /admin HTTP/1.1',
    '嘊嘍Set-Cookie: a=b',
    'x\r\nX-Forwarded-For: 1.2.3.4',
    'x\r\nMAIL FROM:<a@b.example>',
  ]);
  passes(['line one\nline two', 'line one\r\nline two', 'Dear all:\nhello', 'a: b', 'location: Berlin']);

  test.each([
    [
      [
        ['content-length', '5'],
        ['transfer-encoding', 'chunked'],
      ],
    ],
    [
      [
        ['content-length', '5'],
        ['content-length', '6'],
      ],
    ],
    [[['transfer-encoding', 'xchunked']]],
    [
      [
        ['host', 'a.example'],
        ['host', 'b.example'],
      ],
    ],
    [[['host', 'a.example/x']]],
    [[['x-a', 'b\r\nx-c: d']]],
  ] as const)('blocks the headers %j', (headers) => {
    expect(inspect(policy, request({ headers })).decision).toBe('block');
  });

  test('blocks a header that holds a line break however often it comes', () => {
    const broken = request({ headers: [['accept', 'text/html\n']] });
    expect([1, 2, 3].map(() => inspect(policy, broken).decision)).toEqual(['block', 'block', 'block']);
  });

  test('passes ordinary heads', () => {
    const headers = [
      ['host', 'a.example:8080'],
      ['content-length', '5'],
      ['accept', '*/*'],
      ['x-a', 'b'],
      ['x-a', 'c'],
    ] as const;
    expect(inspect(policy, request({ headers })).decision).toBe('pass');
    expect(
      inspect(
        policy,
        request({
          headers: [
            ['host', '[::1]:80'],
            ['transfer-encoding', 'chunked'],
          ],
        }),
      ).decision,
    ).toBe('pass');
  });

  test('a log of headers in JSON is no injection', () => {
    expect(
      inspect(
        policy,
        post('application/json', JSON.stringify({ log: 'a: b\r\ncontent-type: text/html\r\n' })),
      ).decision,
    ).toBe('pass');
  });
});
