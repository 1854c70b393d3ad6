import { BlockList, isIP, isIPv6, SocketAddress } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AddressListCreate, Network, parseAddress, parseNetwork } from './index.ts';

describe('a network', () => {
  it.each(['192.0.2.7', '192.0.2.0/24', '0.0.0.0/0', '2001:DB8::/32', '::1', '::/0', ' 10.0.0.1 '])(
    'is read from "%s"',
    (text) => expect(Network.safeParse(text).success).toBe(true),
  );

  it.each([
    '',
    '192.0.2',
    '192.0.2.0/33',
    '2001:db8::/129',
    'shop.example.com',
    '192.0.2.1-9',
    '10.0.0.0/-1',
  ])('is not read from "%s"', (text) => expect(Network.safeParse(text).success).toBe(false));
});

describe('an address', () => {
  it('is read by us exactly where the platform reads one', () => {
    const chars = fc.string({ unit: fc.constantFrom(...'0123456789abcf:.'), maxLength: 24 });
    const any = fc.oneof(fc.ipV4(), fc.ipV6(), chars);
    fc.assert(
      fc.property(any, (text) => {
        expect(parseAddress(text) !== undefined).toBe(isIP(text) !== 0);
      }),
      { numRuns: 3000 },
    );
  });

  it('has the value that the platform gives it', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
        const words = parseAddress(text) ?? [];
        const family = words.length === 1 ? 'ipv4' : 'ipv6';
        const list = new BlockList();
        list.addAddress(present(words), family);
        expect(list.check(text, isIPv6(text) ? 'ipv6' : 'ipv4')).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('is IPv4 where a dual-stack socket wraps it', () => {
    expect(parseAddress('::ffff:192.0.2.1')).toEqual(parseAddress('192.0.2.1'));
    expect(parseAddress('::ffff:c000:201')).toEqual(parseAddress('192.0.2.1'));
    expect(parseNetwork('::ffff:192.0.2.0/120')).toEqual(parseNetwork('192.0.2.0/24'));
    expect(parseNetwork('::ffff:192.0.2.0/64')).toBeUndefined();
  });
});

function present(words: readonly number[]): string {
  if (words.length === 1) {
    const [word = 0] = words;
    return [word >>> 24, (word >>> 16) & 255, (word >>> 8) & 255, word & 255].join('.');
  }
  const groups = words.flatMap((word) => [(word >>> 16).toString(16), (word & 0xffff).toString(16)]);
  return new SocketAddress({ address: groups.join(':'), family: 'ipv6' }).address;
}

describe('an address list', () => {
  it('names each entry that is not an address', () => {
    const parsed = AddressListCreate.safeParse({
      name: 'Office',
      action: 'allow',
      entries: ['192.0.2.1', 'x', '192.0.2.0/40'],
    });
    expect(parsed.error?.issues.map((issue) => issue.path.join('.'))).toEqual(['entries.1', 'entries.2']);
  });

  it('counts on every site unless it names one', () => {
    expect(AddressListCreate.parse({ name: 'Feed', action: 'block' })).toMatchObject({
      enabled: true,
      entries: [],
    });
  });
});
