import { describe, expect, it } from 'vitest';
import { addressSetOf, resolveClient } from './index.ts';

const trusted = addressSetOf(['10.0.0.0/8', 'fd00::/8']);

describe('the client behind trusted proxies', () => {
  it.each([
    ['no proxy, no header', '198.51.100.1', undefined, '198.51.100.1'],
    ['a stranger who writes the header', '198.51.100.1', '8.8.8.8', '198.51.100.1'],
    ['one proxy', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['a client that forges hops', '10.0.0.1', '127.0.0.1, 8.8.8.8, 198.51.100.1', '198.51.100.1'],
    ['a chain of trusted proxies', '10.0.0.1', '198.51.100.1, 10.0.0.3, 10.0.0.2', '198.51.100.1'],
    ['nothing but trusted hops', '10.0.0.1', '10.0.0.9,10.0.0.8', '10.0.0.9'],
    ['a trusted proxy without a header', '10.0.0.1', undefined, '10.0.0.1'],
    ['an empty header', '10.0.0.1', '', '10.0.0.1'],
    ['a port on the hop', '10.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
    ['IPv6 with a port', 'fd00::1', '[2001:db8::1]:4711', '2001:db8::1'],
    ['IPv6 alone', 'fd00::1', '2001:DB8::1', '2001:db8::1'],
    ['a word instead of an address', '10.0.0.1', '198.51.100.1, unknown', '10.0.0.1'],
    ['a word left of the client', '10.0.0.1', 'unknown, 198.51.100.1', '198.51.100.1'],
    ['a trailing comma', '10.0.0.1', '198.51.100.1,', '10.0.0.1'],
    ['a hop of IPv4 in IPv6', '10.0.0.1', '::ffff:198.51.100.1', '198.51.100.1'],
    ['such a hop in hex', '10.0.0.1', '[::FFFF:c633:6401]:4711', '198.51.100.1'],
    ['a long way to write IPv6', 'fd00::1', '2001:DB8:0::0:1', '2001:db8::1'],
    ['IPv4 in IPv6', '::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ])('is right with %s', (_case, peer, header, expected) => {
    expect(resolveClient(peer, header, trusted).clientIp).toBe(expected);
  });

  it('passes on the chain of a trusted proxy alone', () => {
    expect(resolveClient('10.0.0.1', '1.2.3.4', trusted).forwardedChain).toBe('1.2.3.4');
    expect(resolveClient('1.1.1.1', '1.2.3.4', trusted).forwardedChain).toBeUndefined();
  });

  it('reads a bounded number of hops', () => {
    const began = performance.now();
    resolveClient('10.0.0.1', '10.0.0.2,'.repeat(100_000), trusted);
    expect(performance.now() - began).toBeLessThan(50);
  });
});
