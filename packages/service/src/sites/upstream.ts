import { parseAddress } from '@portcullis/contract/access';
import type { Issue } from '@portcullis/contract/api';
import { isMetadataHost } from '../outgoing/index.ts';

/** What the check of an upstream needs to know of the machine. */
export interface UpstreamSurroundings {
  /** ports on which the gateways of this machine listen */
  readonly gatewayPorts: readonly number[];
  /** addresses of this machine, loopback among them */
  readonly ownAddresses: readonly string[];
}

const defaultPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** One text for an address, however it is written: IPv4 within IPv6 is the IPv4 that it is. */
const oneText = (address: string) => parseAddress(address)?.join() ?? address;

const unspecified = ['0.0.0.0', '::'].map(oneText);
const loopback = oneText('::1');

function isOwn(host: string, ownAddresses: readonly string[]): boolean {
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  const words = parseAddress(host);
  if (words === undefined) return false;
  if (words.length === 1 && words[0] >>> 24 === 127) return true;
  const text = oneText(host);
  return text === loopback || unspecified.includes(text) || ownAddresses.map(oneText).includes(text);
}

/**
 * Why a site cannot forward to this upstream. Names are judged as they are written: where one leads, today or later,
 * the gateway sees by a request that comes back, and refuses that.
 * @param url an origin that the contract's UpstreamUrl accepted
 */
export function upstreamIssue(
  url: string,
  domains: readonly string[],
  around: UpstreamSurroundings,
): Issue | undefined {
  const { hostname, port, protocol } = new URL(url);
  // A dot at its end says of a name that it is whole already.
  const host = hostname.replace(/^\[|\]$|\.$/g, '').toLowerCase();
  const path = 'backend_url';
  if (isMetadataHost(host)) {
    return { path, message: 'This address hands out credentials of the machine and cannot be an upstream' };
  }
  const portNumber = port === '' ? (defaultPorts[protocol] ?? 0) : Number(port);
  const loops = around.gatewayPorts.includes(portNumber);
  if (loops && isOwn(host, around.ownAddresses)) {
    return { path, message: 'This is the gateway itself: requests would go round in a circle' };
  }
  if ((loops || port === '') && domains.includes(host)) {
    return { path, message: "This is the site's own domain: requests would go round in a circle" };
  }
  return undefined;
}
