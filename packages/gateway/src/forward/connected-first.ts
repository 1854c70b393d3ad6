import { createRequire } from 'node:module';
import type { Client, Pool } from 'undici';

const require = createRequire(import.meta.url);

/**
 * Symbols that undici keeps to itself; another version of it may have others.
 * @throws Error that names the dependency where one is missing: without them connections would be chosen wrongly,
 * and nobody would know
 */
export function privateSymbols<N extends string>(file: string, names: readonly N[]): Record<N, symbol> {
  const found = require(file) as Partial<Record<N, unknown>>;
  for (const name of names) {
    if (typeof found[name] !== 'symbol') throw unknownUndici(`${file} has no symbol ${name}`);
  }
  return found as Record<N, symbol>;
}

/** For who reaches into undici: what of it is not as expected. */
export const unknownUndici = (what: string) =>
  new Error(
    `The installed undici ${(require('undici/package.json') as { version: string }).version} is not one that the gateway knows: ${what}`,
  );

const { kClients, kGetDispatcher, kNeedDrain } = privateSymbols('undici/lib/dispatcher/pool-base.js', [
  'kClients',
  'kGetDispatcher',
  'kNeedDrain',
]);
const { kConnected } = privateSymbols('undici/lib/core/symbols.js', ['kConnected']);

type Connection = Client & Readonly<Record<symbol, unknown>>;

/**
 * Has a pool take the first connection that is free and open. By itself it takes the first that is free: where an upstream
 * had closed that one it would connect again beside open ones, and fail while the upstream's name cannot be resolved.
 * @throws Error that names the dependency where the pool is not built as this expects
 */
export function connectedFirst(pool: Pool): void {
  const inside = pool as Pool & Record<symbol, unknown>;
  const connections = inside[kClients] as readonly Connection[];
  const anyFree = inside[kGetDispatcher] as () => Connection | undefined;
  if (!Array.isArray(connections) || typeof anyFree !== 'function') {
    throw unknownUndici('a pool keeps its connections in another way');
  }
  const openOrAny = () => {
    for (const connection of connections) {
      if (connection[kNeedDrain] !== true && connection[kConnected] === true) return connection;
    }
    return anyFree.call(pool);
  };
  inside[kGetDispatcher] = openOrAny;
}
