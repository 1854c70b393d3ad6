import { z } from 'zod';
import { parseNetwork } from './parse-network.ts';

/** An address or a network in CIDR form, IPv4 or IPv6: `192.0.2.7`, `192.0.2.0/24`, `2001:db8::/32`. */
export const Network = z
  .string()
  .trim()
  .toLowerCase()
  .max(64)
  .refine(
    (text) => parseNetwork(text) !== undefined,
    'Use an address or a network such as 192.0.2.7, 192.0.2.0/24 or 2001:db8::/32',
  );
export type Network = z.infer<typeof Network>;
