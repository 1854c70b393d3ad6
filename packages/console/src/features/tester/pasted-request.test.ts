import { expect, it } from 'vitest';
import { readPasted } from './pasted-request.ts';

it('reads a request as tools print it', () => {
  const text =
    'POST /login?next=%2F HTTP/1.1\r\nHost: shop.example.com\r\nX-A: b: c\r\n\r\nuser=ada\r\n\r\nmore';
  expect(readPasted(text)).toEqual({
    ok: true,
    request: {
      method: 'POST',
      target: '/login?next=%2F',
      headers: [
        { name: 'Host', value: 'shop.example.com' },
        { name: 'X-A', value: 'b: c' },
      ],
      body: 'user=ada\n\nmore',
    },
  });
});

it.each([
  ['/?id=1', '/?id=1', []],
  ['\n  GET /a', '/a', []],
  ['https://shop.example.com?x=1#top', '/?x=1', [{ name: 'Host', value: 'shop.example.com' }]],
])('reads %j as a GET', (text, target, headers) => {
  expect(readPasted(text)).toEqual({ ok: true, request: { method: 'GET', target, headers, body: '' } });
});

it.each([
  ['', 1, 'empty'],
  ['GET shop', 1, 'first'],
  ['\nnot a request at all', 2, 'first'],
  ['GET / HTTP/1.1\nHost shop', 2, 'header'],
])('says which line of %j it cannot read', (text, line, problem) => {
  expect(readPasted(text)).toEqual({ ok: false, line, problem });
});
