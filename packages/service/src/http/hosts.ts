import { isIP } from 'node:net';

/**
 * Which Host headers the console answers to. A page of an attacker whose name resolves to this address (DNS
 * rebinding) would otherwise be same-origin with the console in the victim's browser.
 */
export type HostPolicy = (hostHeader: string | undefined) => boolean;

const loopbackNames = new Set(['localhost', '127.0.0.1', '::1']);

function nameOf(hostHeader: string): string {
  const name = /^\[([^\]]*)\](?::\d+)?$|^([^:]*)(?::\d+)?$/.exec(hostHeader);
  return (name?.[1] ?? name?.[2] ?? '').toLowerCase();
}

/**
 * Names that are always right: loopback, IP addresses (a rebinding page comes by name), the listening name, and
 * the public URL's. Bound beyond loopback without a public URL any name is taken, for we cannot know ours.
 */
export function hostPolicy(adminHost: string, publicUrl: string | undefined): HostPolicy {
  const names = new Set([...loopbackNames, adminHost.toLowerCase()]);
  if (publicUrl !== undefined) names.add(new URL(publicUrl).hostname.toLowerCase());
  const anyName = publicUrl === undefined && !loopbackNames.has(adminHost);
  return (hostHeader) => {
    if (hostHeader === undefined) return false;
    const name = nameOf(hostHeader);
    return anyName || names.has(name) || isIP(name) !== 0;
  };
}
