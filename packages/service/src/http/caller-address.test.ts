import { describe, expect, it } from 'vitest';
import { callerAddress } from './caller-address.ts';

const behind = callerAddress(['127.0.0.1', '10.0.0.0/8', 'fd00::/8']);

describe('the address of a caller', () => {
  it.each([
    ['198.51.100.7', undefined, '198.51.100.7'],
    // Who calls without a proxy writes what it likes.
    ['198.51.100.7', '127.0.0.1', '198.51.100.7'],
    ['127.0.0.1', '203.0.113.5', '203.0.113.5'],
    ['::ffff:127.0.0.1', '203.0.113.5:4711', '203.0.113.5'],
    ['127.0.0.1', '[2001:db8::1]:4711', '2001:db8::1'],
    ['127.0.0.1', '2001:db8::1', '2001:db8::1'],
    // The rightmost that is not ours: what stands before it came with the call.
    ['127.0.0.1', '192.0.2.66, 203.0.113.5, 10.1.2.3', '203.0.113.5'],
    ['fd00::1', '192.0.2.66,203.0.113.5', '203.0.113.5'],
    ['127.0.0.1', '203.0.113.5, <script>', '127.0.0.1'],
    ['127.0.0.1', 'unknown', '127.0.0.1'],
    ['127.0.0.1', '', '127.0.0.1'],
    ['127.0.0.1', undefined, '127.0.0.1'],
    ['127.0.0.1', '10.0.0.1, 10.0.0.2', '10.0.0.1'],
  ])('from %s with X-Forwarded-For %s is %s', (socket, forwarded, expected) => {
    expect(behind(socket, forwarded)).toBe(expected);
  });

  it('is that of the socket where no proxy is named', () => {
    expect(callerAddress([])('127.0.0.1', '203.0.113.5')).toBe('127.0.0.1');
  });
});
