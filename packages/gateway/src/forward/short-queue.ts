import type { Pool } from 'undici';
import { Line } from '../memory/index.ts';
import { unknownUndici } from './connected-first.ts';

interface Queue {
  isEmpty(): boolean;
  push(value: unknown): void;
  /** null where nobody waits */
  shift(): unknown;
}

/**
 * Has a pool make room for who waits in it only when somebody does: hardly ever, for requests take places before. By
 * itself it has room for two thousand from the start, 16 KB for each upstream.
 * @throws Error that names the dependency where the pool is not built as this expects
 */
export function shortQueue(pool: Pool): void {
  const inside = pool as Pool & Record<symbol, unknown>;
  const symbol = Object.getOwnPropertySymbols(pool).find(({ description }) => description === 'queue');
  const before = symbol === undefined ? undefined : (inside[symbol] as Partial<Queue>);
  const known: readonly (keyof Queue)[] = ['isEmpty', 'push', 'shift'];
  if (symbol === undefined || known.some((name) => typeof before?.[name] !== 'function')) {
    throw unknownUndici('a pool keeps who waits in another way');
  }
  inside[symbol] = new ShortQueue();
}

class ShortQueue implements Queue {
  readonly #line = new Line<unknown>();

  isEmpty(): boolean {
    return this.#line.size === 0;
  }

  push(value: unknown): void {
    this.#line.join(value);
  }

  shift(): unknown {
    const { first } = this.#line;
    if (first === undefined) return null;
    this.#line.leave(first);
    return first.value;
  }
}
