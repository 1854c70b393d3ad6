import { expect, test } from 'vitest';
import { plainAddress } from './index.ts';

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
  [undefined, ''],
])('an address has one way to be written: %s', (text, plain) => {
  expect(plainAddress(text)).toBe(plain);
});
