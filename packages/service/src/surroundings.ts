import { networkInterfaces } from 'node:os';
import type { ServiceOptions } from './options.ts';
import type { UpstreamSurroundings } from './sites/index.ts';

/** What an upstream must not lead back to: this machine's own gateways. */
export function surroundings({
  gatewayPorts = [],
}: Pick<ServiceOptions, 'gatewayPorts'>): UpstreamSurroundings {
  const interfaces = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return { gatewayPorts, ownAddresses: interfaces.map(({ address }) => address) };
}
