/**
 * Whether an address lies in a block such as `10.0.0.0/8` or `2001:db8::/32`; a block without a length is one
 * address. IPv4-mapped IPv6 addresses count as IPv4. False for anything that is neither.
 */
export function cidrContains(block: string, address: string): boolean {
  const slash = block.indexOf('/');
  const network = addressBits(slash < 0 ? block : block.slice(0, slash));
  const client = addressBits(address);
  if (!network || !client || network.length !== client.length) return false;
  const length = slash < 0 ? network.length : Number(block.slice(slash + 1));
  if (!Number.isInteger(length) || length < 0 || length > network.length) return false;
  return network.slice(0, length) === client.slice(0, length);
}

/** The address as a string of 32 or 128 binary digits; undefined when it is none. */
export function addressBits(address: string): string | undefined {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped ?? /^[\d.]+$/.test(address)) return ipv4Bits(mapped ?? address);
  return ipv6Bits(address);
}

function ipv4Bits(address: string): string | undefined {
  const octets = address.split('.');
  if (octets.length !== 4 || !octets.every((octet) => /^\d{1,3}$/.test(octet) && Number(octet) < 256))
    return undefined;
  return octets.map((octet) => Number(octet).toString(2).padStart(8, '0')).join('');
}

function ipv6Bits(address: string): string | undefined {
  const halves = address.split('::');
  if (halves.length > 2 || address.length > 45) return undefined;
  const groups = halves.map((half) => (half === '' ? [] : half.split(':')));
  const [head = [], tail = []] = groups;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
  const all = [...head, ...new Array<string>(Math.max(missing, 0)).fill('0'), ...tail];
  if (!all.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined;
  return all.map((group) => Number.parseInt(group, 16).toString(2).padStart(16, '0')).join('');
}
