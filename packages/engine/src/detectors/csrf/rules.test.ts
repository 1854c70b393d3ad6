import { describe, expect, test } from 'vitest';
import { compilePolicy, inspect } from '../../inspect/index.ts';
import type { HeaderField } from '../../parse/index.ts';
import { choices, request } from '../../testing/requests.ts';

const policy = compilePolicy({
  securityLevel: 'medium',
  categories: choices('medium', ['csrf', 'method_validation']),
  trustedOrigins: ['https://App.example'],
});
const decide = (method: string, ...headers: HeaderField[]) =>
  inspect(policy, request({ method, headers: [['host', 'shop.example'], ...headers] })).decision;

describe('csrf', () => {
  test('an unsafe request from another origin is blocked, a safe one passes', () => {
    expect(decide('POST', ['origin', 'https://evil.example'])).toBe('block');
    expect(decide('DELETE', ['origin', 'null'])).toBe('block');
    expect(decide('GET', ['origin', 'https://evil.example'])).toBe('pass');
    expect(decide('POST', ['sec-fetch-site', 'cross-site'])).toBe('block');
    expect(decide('POST', ['referer', 'https://evil.example/x'])).toBe('block');
    expect(decide('POST', ['origin', 'https://shop.example.evil.example'])).toBe('block');
  });

  test('its own pages, trusted origins and clients that are no browsers pass', () => {
    expect(decide('POST', ['origin', 'https://shop.example'])).toBe('pass');
    expect(decide('POST', ['origin', 'https://app.example'])).toBe('pass');
    expect(decide('POST', ['sec-fetch-site', 'same-origin'])).toBe('pass');
    expect(decide('POST')).toBe('pass');
  });

  test('a page of another origin opens no WebSocket, where the visitor’s cookies would speak for it', () => {
    const opens = (...headers: HeaderField[]) => decide('GET', ['upgrade', 'WebSocket'], ...headers);
    expect(opens(['origin', 'https://evil.example'])).toBe('block');
    expect(opens(['origin', 'null'])).toBe('block');
    expect(opens(['origin', 'https://shop.example'])).toBe('pass');
    expect(opens(['origin', 'https://app.example'])).toBe('pass');
    expect(opens()).toBe('pass');
  });
});

describe('method_validation', () => {
  test('methods that are not served are blocked, also in disguise', () => {
    for (const method of ['TRACE', 'CONNECT', 'PROPFIND', 'FOO', 'get']) expect(decide(method)).toBe('block');
    expect(decide('POST', ['x-http-method-override', 'TRACE'])).toBe('block');
    expect(decide('POST', ['x-http-method-override', 'PUT'])).toBe('pass');
    for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'OPTIONS']) expect(decide(method)).toBe('pass');
  });
});
