import { maxTemporaryEntries, parseAddress, parseNetwork } from '@portcullis/contract/access';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AddressSet, maxOwners } from './address-set.ts';
import { TimedSet } from './timed-set.ts';

const timed = ([entry, until]: readonly [string, number], owner: number) => ({
  network: parseNetwork(entry)!,
  owner,
  until,
});

/** Few addresses, so that networks lie within each other. */
const byte = fc.integer({ min: 0, max: 3 });
const ipv4 = fc.tuple(byte, byte).map(([a, b]) => `10.0.${a}.${b}`);
const ipv6 = fc.tuple(byte, byte).map(([a, b]) => `fd00::${a}:${b}`);
const entryOf = (address: fc.Arbitrary<string>, bits: number) =>
  fc.tuple(address, fc.integer({ min: bits - 20, max: bits })).map(([text, prefix]) => `${text}/${prefix}`);
const entries = fc.array(
  fc.tuple(fc.oneof(entryOf(ipv4, 32), entryOf(ipv6, 128)), fc.integer({ min: 1, max: 6 })),
  { maxLength: 24 },
);

describe('a set of networks that end', () => {
  it('holds at each moment what has not ended, however networks lie within each other', () => {
    fc.assert(
      fc.property(entries, fc.oneof(ipv4, ipv6), fc.integer({ min: 0, max: 7 }), (given, address, now) => {
        const words = parseAddress(address)!;
        const holding = given.flatMap((one, owner) => {
          const alone = new AddressSet([{ network: parseNetwork(one[0])!, owner: 0 }]);
          return one[1] > now && alone.has(words) ? [owner] : [];
        });
        const found = new TimedSet(given.map(timed)).find(words, now);
        if (holding.length === 0) expect(found).toBe(-1);
        else expect(holding).toContain(found);
      }),
      { numRuns: 3000 },
    );
  });

  it('tells them apart however many lists still hold what has ended', () => {
    const given = Array.from({ length: maxOwners + 10 }, (_, index) => {
      return [`10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`, index < 10 ? 20 : 10] as const;
    });
    const set = new TimedSet(given.map(([entry, until]) => timed([entry, until], 0)));
    const standing = given.filter(([entry]) => set.find(parseAddress(entry)!, 15) !== -1);
    expect(standing).toEqual(given.slice(0, 10));
  });

  it('finds in less than 2 µs among as many as there may be, reading the address included', () => {
    const addresses = Array.from({ length: maxTemporaryEntries }, (_, index) => {
      const word = Math.imul(index, 2_654_435_761) >>> 0;
      return `${word >>> 24}.${(word >>> 16) & 255}.${(word >>> 8) & 255}.${word & 255}`;
    });
    // Three layers: single addresses outlive the network around them, which outlives all there is.
    const given = addresses.flatMap((address, index) => (index % 2 === 0 ? [[address, 30] as const] : []));
    const around = given.slice(0, 900).map(([address]) => [`${address}/16`, 20] as const);
    const set = new TimedSet([...given, ...around, ['0.0.0.0/0', 10] as const].map(timed));
    let hits = 0;
    const rounds = 100;
    // Processor time of this thread: others of a busy machine must not count.
    const began = process.threadCpuUsage();
    for (let round = 0; round < rounds; round++)
      for (const address of addresses) if (set.find(parseAddress(address)!, 25) !== -1) hits++;
    const { user, system } = process.threadCpuUsage(began);
    expect(hits).toBe(rounds * given.length);
    expect((user + system) / (rounds * addresses.length)).toBeLessThan(2);
  });
});
