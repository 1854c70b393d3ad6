import { type ParsedNetwork, parseAddress, parseNetwork } from './parse-network.ts';

/** Where clouds hand out credentials to whoever asks from the machine. */
const networks: readonly ParsedNetwork[] = [
  // AWS, Azure, GCP, OpenStack and ECS all lie in the link-local range, where nothing of ours has business.
  '169.254.0.0/16',
  'fe80::/10',
  'fd00:ec2::254',
  'fd20:ce::254',
  // Alibaba Cloud and Oracle Cloud.
  '100.100.100.200',
  '192.0.0.192',
  // The same behind the well-known NAT64 prefix. @see RFC 6052 §2.1
  '64:ff9b::a9fe:0/112',
  '64:ff9b::6464:64c8',
  '64:ff9b::c000:c0',
].map((text) => {
  const network = parseNetwork(text);
  if (!network) throw new Error(`${text} is no network`);
  return network;
});

function holds({ words, prefix }: ParsedNetwork, address: readonly number[]): boolean {
  if (address.length !== words.length) return false;
  return words.every((word, index) => {
    const bits = Math.min(32, Math.max(0, prefix - index * 32));
    // A shift by 32 shifts by nothing.
    return bits === 0 || ((address[index] ?? 0) ^ word) >>> (32 - bits) === 0;
  });
}

/**
 * Whether an address hands out credentials of the machine, so that no call that somebody chose may go there.
 * @returns false also for what is no address
 */
export function isMetadataAddress(address: string): boolean {
  const words = parseAddress(address);
  return words !== undefined && networks.some((network) => holds(network, words));
}
