import { createRequire } from 'node:module';
import type { Client, Pool } from 'undici';

const require = createRequire(import.meta.url);
const { kClients, kGetDispatcher, kNeedDrain } = require('undici/lib/dispatcher/pool-base.js') as Record<
  'kClients' | 'kGetDispatcher' | 'kNeedDrain',
  symbol
>;
const { kConnected } = require('undici/lib/core/symbols.js') as { readonly kConnected: symbol };

type Connection = Client & Readonly<Record<symbol, unknown>>;

/**
 * Has a pool take the first connection that is free and open. By itself it takes the first that is free: where an upstream
 * had closed that one it would connect again beside open ones, and fail while the upstream's name cannot be resolved.
 */
export function connectedFirst(pool: Pool): void {
  const inside = pool as Pool & Record<symbol, unknown>;
  const connections = inside[kClients] as readonly Connection[];
  const anyFree = inside[kGetDispatcher] as () => Connection | undefined;
  const openOrAny = () => {
    for (const connection of connections) {
      if (connection[kNeedDrain] !== true && connection[kConnected] === true) return connection;
    }
    return anyFree.call(pool);
  };
  inside[kGetDispatcher] = openOrAny;
}
