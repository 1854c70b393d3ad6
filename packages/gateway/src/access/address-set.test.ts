import { BlockList } from 'node:net';
import { parseAddress, parseNetwork } from '@portcullis/contract/access';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AddressSet } from './index.ts';

const setOf = (...entries: string[]) =>
  new AddressSet(entries.map((entry, owner) => ({ network: parseNetwork(entry)!, owner })));
const find = (set: AddressSet, address: string) => set.find(parseAddress(address)!);

describe('a set of addresses', () => {
  it.each([
    ['192.0.2.0/24', '192.0.1.255', -1],
    ['192.0.2.0/24', '192.0.2.0', 0],
    ['192.0.2.0/24', '192.0.2.255', 0],
    ['192.0.2.0/24', '192.0.3.0', -1],
    ['192.0.2.77/24', '192.0.2.1', 0],
    ['0.0.0.0/0', '255.255.255.255', 0],
    ['0.0.0.0/0', '::1', -1],
    ['255.255.255.255', '255.255.255.255', 0],
    ['2001:db8::/33', '2001:db8:7fff:ffff::', 0],
    ['2001:db8::/33', '2001:db8:8000::', -1],
    ['::/0', 'ffff::1', 0],
    ['::/0', '192.0.2.1', -1],
    ['192.0.2.0/24', '::ffff:192.0.2.9', 0],
  ])('%s holds %s: %i', (network, address, owner) => {
    expect(find(setOf(network), address)).toBe(owner);
  });

  it('keeps who owns each part where networks overlap', () => {
    const set = setOf('10.1.0.0/16', '10.0.0.0/8', '10.1.2.3', 'fd00::/8', 'fd00::1');
    expect(find(set, '10.1.2.3')).toBe(1);
    expect(find(set, '10.200.0.1')).toBe(1);
    expect(find(set, 'fd00::1')).toBe(3);
    expect(set.size).toBe(2);
  });

  // One family at a time: the platform's ::/0 holds IPv4 as well, ours keeps the two apart.
  const ipv6 = fc.ipV6().filter((text) => parseAddress(text)?.length === 4);
  it.each([
    ['ipv4', fc.ipV4(), 32],
    ['ipv6', ipv6, 128],
  ] as const)('agrees with the platform on every %s address', (family, address, bits) => {
    const networks = fc.array(fc.tuple(address, fc.integer({ min: 0, max: bits })), { maxLength: 40 });
    const probes = fc.array(address, { minLength: 20, maxLength: 40 });
    fc.assert(
      fc.property(networks, probes, (entries, addresses) => {
        const reference = new BlockList();
        for (const [network, prefix] of entries) reference.addSubnet(network, prefix, family);
        const set = setOf(...entries.map(([network, prefix]) => `${network}/${prefix}`));
        for (const probe of [...addresses, ...entries.map(([network]) => network)]) {
          expect(set.has(parseAddress(probe)!), probe).toBe(reference.check(probe, family));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('finds among 100,000 networks in less than 2 µs, reading the address included', () => {
    const networks = Array.from({ length: 100_000 }, (_, index) => {
      const word = Math.imul(index, 2_654_435_761) >>> 0;
      return { network: { words: [word] as const, prefix: 24 + (index % 9) }, owner: 0 };
    });
    const set = new AddressSet(networks);
    const probes = networks.slice(0, 4096).map(({ network }) => {
      const [word] = network.words;
      return `${word >>> 24}.${(word >>> 16) & 255}.${(word >>> 8) & 255}.${(word & 255) ^ 1}`;
    });
    let hits = 0;
    const rounds = 50;
    // Processor time of this thread: others of a busy machine must not count.
    const began = process.threadCpuUsage();
    for (let round = 0; round < rounds; round++)
      for (const probe of probes) if (set.has(parseAddress(probe)!)) hits++;
    const { user, system } = process.threadCpuUsage(began);
    const micros = (user + system) / (rounds * probes.length);
    expect(hits).toBeGreaterThan(0);
    expect(micros).toBeLessThan(2);
  });
});
