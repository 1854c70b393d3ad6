import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isForbiddenAddress, isInternalAddress, isMetadataHost } from './addresses.ts';

/** Where a call may go: the address to connect to, whatever the name says a moment later. */
export interface Destination {
  readonly address: string;
  readonly family: 4 | 6;
  /** of this machine or of a private network */
  readonly internal: boolean;
}

/** @returns every address of a name. @throws where it has none */
export type Resolver = (host: string) => Promise<readonly string[]>;

const systemResolver: Resolver = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);

/**
 * Resolves a host once. The caller connects to the address that came out, so that a name which answers differently
 * the second time (DNS rebinding) leads nowhere else.
 * @param host a name, or an address with or without brackets
 * @returns the destination, or in words why there is none
 */
export async function resolveDestination(
  host: string,
  resolver: Resolver = systemResolver,
): Promise<Destination | string> {
  const name = host.replace(/^\[|\]$/g, '');
  if (isMetadataHost(name)) return `${name} hands out credentials of the machine and is never called`;
  let addresses: readonly string[];
  try {
    addresses = isIP(name) === 0 ? await resolver(name) : [name];
  } catch {
    return `The name ${name} has no address`;
  }
  // One forbidden address among several is enough: the name is not to be trusted.
  if (addresses.some(isForbiddenAddress)) return `${name} leads to an address that is never called`;
  const [address] = addresses;
  if (address === undefined) return `The name ${name} has no address`;
  return { address, family: isIP(address) === 6 ? 6 : 4, internal: isInternalAddress(address) };
}
