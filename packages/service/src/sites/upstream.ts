import { isIP } from 'node:net';
import type { Issue } from '@portcullis/contract/api';
import { isMetadataHost } from '../outgoing/index.ts';

const unspecified = new Set(['0.0.0.0', '::']);

/** What the check of an upstream needs to know of the machine. */
export interface UpstreamSurroundings {
  /** ports on which the gateways of this machine listen */
  readonly gatewayPorts: readonly number[];
  /** addresses of this machine, loopback among them */
  readonly ownAddresses: readonly string[];
}

const defaultPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

function isOwn(host: string, ownAddresses: readonly string[]): boolean {
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  if (isIP(host) === 4 && host.startsWith('127.')) return true;
  return host === '::1' || unspecified.has(host) || ownAddresses.includes(host);
}

/**
 * Why a site cannot forward to this upstream. Names are judged as they are written; what they resolve to is the
 * gateway's to check when it connects.
 * @param url an origin that the contract's UpstreamUrl accepted
 */
export function upstreamIssue(
  url: string,
  domains: readonly string[],
  around: UpstreamSurroundings,
): Issue | undefined {
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
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
