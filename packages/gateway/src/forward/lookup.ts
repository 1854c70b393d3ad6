import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isMetadataAddress } from '@portcullis/contract/access';

/**
 * Resolves an upstream's name, but to no address where clouds hand out credentials: the service refuses those as they
 * are written, and a name may lead there, today or later.
 */
export function upstreamLookup(lookup: LookupFunction): LookupFunction {
  return (host, options, done) => {
    lookup(host, options, (error, address, family) => {
      if (error) return done(error, address, family);
      const found: readonly Pick<LookupAddress, 'address'>[] = Array.isArray(address)
        ? address
        : [{ address: String(address) }];
      // One among several is enough: such a name is not to be trusted.
      const refused = found.some((one) => isMetadataAddress(one.address));
      if (!refused) return done(null, address, family);
      done(new Error(`${host} leads to an address that hands out credentials of the machine`), [], 4);
    });
  };
}
