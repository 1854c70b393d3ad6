import { SocketAddress } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainAddress, socketAddress } from './index.ts';

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:192.0.2.1', '192.0.2.1'],
  ['0:0:0:0:0:ffff:c000:201', '192.0.2.1'],
  ['::ffff:255.255.255.255', '255.255.255.255'],
  ['::ffff:0:1.2.3.4', '::ffff:0:102:304'],
  ['::FFFF:0:1.2.3.4', '::ffff:0:102:304'],
  ['2001:DB8:0::1', '2001:db8::1'],
  ['::1', '::1'],
  ['fe80::1%eth0', 'fe80::1%eth0'],
])('an address has one way to be written: %s', (text, plain) => {
  expect(plainAddress(text)).toBe(plain);
});

test('a socket without one has none', () => {
  expect(socketAddress(undefined)).toBe('');
});

test('what the system writes of a socket is written so already', () => {
  const group = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff }));
  const groups = fc.oneof(
    fc.tuple(fc.integer({ min: 1, max: 0xffff }), ...Array.from({ length: 7 }, () => group)),
    fc.tuple(fc.constantFrom(0, 0xffff), group, group).map((last) => [0, 0, 0, 0, 0xffff, ...last]),
    fc.tuple(group, group).map((last) => [0, 0, 0, 0, 0, 0xffff, ...last]),
  );
  fc.assert(
    fc.property(groups, (words) => {
      const text = words.map((word) => word.toString(16)).join(':');
      const { address } = new SocketAddress({ family: 'ipv6', address: text });
      expect(socketAddress(address)).toBe(plainAddress(text));
    }),
  );
});
