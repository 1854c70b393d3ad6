import { BlockList, isIP } from 'node:net';
import { isMetadataAddress } from '@portcullis/contract/access';

/** Addresses that are no single host: "this network", multicast and what lies above it. @see RFC 6890 */
const nowhere = new BlockList();
nowhere.addSubnet('0.0.0.0', 8, 'ipv4');
nowhere.addSubnet('224.0.0.0', 3, 'ipv4');
nowhere.addAddress('::', 'ipv6');
nowhere.addSubnet('ff00::', 8, 'ipv6');

/** Addresses of this machine and of private networks. @see RFC 1918, RFC 4193, RFC 6598 */
const internal = new BlockList();
internal.addSubnet('127.0.0.0', 8, 'ipv4');
internal.addSubnet('10.0.0.0', 8, 'ipv4');
internal.addSubnet('172.16.0.0', 12, 'ipv4');
internal.addSubnet('192.168.0.0', 16, 'ipv4');
internal.addSubnet('100.64.0.0', 10, 'ipv4');
internal.addAddress('::1', 'ipv6');
internal.addSubnet('fc00::', 7, 'ipv6');

const metadataNames = new Set(['metadata.google.internal', 'metadata.goog', 'metadata', 'instance-data']);

function isIn(list: BlockList, address: string): boolean {
  const family = isIP(address);
  return family !== 0 && list.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

/** Whether a host, a name or an address, is one that hands out credentials of the machine. */
export function isMetadataHost(host: string): boolean {
  return metadataNames.has(host.toLowerCase().replace(/\.$/, '')) || isMetadataAddress(host);
}

/** Whether nothing of ours may be sent to this address, whatever name led to it. */
export function isForbiddenAddress(address: string): boolean {
  return isIP(address) === 0 || isMetadataAddress(address) || isIn(nowhere, address);
}

/** Whether an address is of this machine or of a private network, where plain HTTP stays among our own. */
export function isInternalAddress(address: string): boolean {
  return isIn(internal, address);
}
