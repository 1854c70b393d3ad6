import { BlockList, isIP } from 'node:net';

/** `203.0.113.7`, `203.0.113.7:4711`, `[2001:db8::1]:4711` or `2001:db8::1`, as proxies write them. */
const hop = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/;

/** A dual-stack socket writes IPv4 as `::ffff:192.0.2.1`. @returns undefined for what is no address */
function addressOf(text: string): string | undefined {
  const [, bracketed, dotted] = hop.exec(text) ?? [];
  const address = (bracketed ?? dotted ?? text).replace(/^::ffff:(?=\d+\.)/i, '');
  return isIP(address) === 0 ? undefined : address;
}

/** @param networks addresses and networks. @returns whether a socket's address is of them */
export function knownAs(networks: readonly string[]): (socketAddress: string) => boolean {
  const list = networksOf(networks);
  return (socketAddress) => {
    const address = addressOf(socketAddress);
    return address !== undefined && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  };
}

function networksOf(trusted: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of trusted) {
    const [address = '', prefix] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

/** Says from where a call comes. @param forwarded X-Forwarded-For as it was sent */
export type CallerAddress = (socketAddress: string, forwarded: string | undefined) => string;

/**
 * The rightmost hop that is not one of our proxies, for whoever stands before it could have written the rest. Behind
 * a proxy that is not named all callers have its address, and share what is counted by address.
 * @param trusted addresses and networks of proxies in front of the console
 */
export function callerAddress(trusted: readonly string[]): CallerAddress {
  const isProxy = knownAs(trusted);
  return (socketAddress, forwarded) => {
    let caller = addressOf(socketAddress) ?? socketAddress;
    for (const written of (forwarded ?? '').split(',').reverse()) {
      if (!isProxy(caller)) return caller;
      const next = addressOf(written.trim());
      if (next === undefined) return caller;
      caller = next;
    }
    return caller;
  };
}
