import { BlockList, isIPv6 } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isMetadataAddress } from './index.ts';

describe('an address that hands out credentials', () => {
  it.each([
    '169.254.169.254',
    '169.254.170.2',
    '::ffff:169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    'fe80::1',
    'febf::1',
    'fd00:ec2::254',
    '100.100.100.200',
    '192.0.0.192',
  ])('is %s', (address) => expect(isMetadataAddress(address)).toBe(true));

  it.each([
    '127.0.0.1',
    '169.253.255.255',
    '169.255.0.0',
    '10.0.0.1',
    'fec0::1',
    'fd00:ec2::255',
    '',
    'name',
  ])('is not %s', (address) => expect(isMetadataAddress(address)).toBe(false));

  it('lies in the link-local ranges exactly where the platform says so', () => {
    const list = new BlockList();
    list.addSubnet('169.254.0.0', 16, 'ipv4');
    list.addSubnet('fe80::', 10, 'ipv6');
    const near = fc.oneof(
      fc.ipV4().map((address) => address.replace(/^\d+\.\d+/, '169.254')),
      fc.ipV4(),
      fc.integer({ min: 0xfe00, max: 0xffff }).map((word) => `${word.toString(16)}::1`),
    );
    fc.assert(
      fc.property(near, (address) => {
        expect(isMetadataAddress(address)).toBe(list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4'));
      }),
      { numRuns: 500 },
    );
  });
});
