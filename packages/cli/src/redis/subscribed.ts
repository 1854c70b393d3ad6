import type { Log } from '../log/index.ts';
import type { Connection } from './connection.ts';

/** After a refusal it is asked for again this much later. */
const againMs = 2000;

interface Wanted {
  readonly channels: readonly string[];
  readonly patterns?: readonly string[];
}

/**
 * Opens a connection and subscribes at each connect. A server that refuses, such as by the rights of its user, is asked
 * again, and the log says why.
 * @param onHearing called each time that words arrive from then on
 */
export function keepSubscribed(
  { redis, open }: Connection,
  { channels, patterns = [] }: Wanted,
  log: Log,
  onHearing: () => void = () => {},
): void {
  let told = false;
  const ask = async () => {
    try {
      await Promise.all([
        redis.subscribe(...channels),
        patterns.length > 0 ? redis.psubscribe(...patterns) : undefined,
      ]);
      onHearing();
    } catch (error) {
      // Away: the next connect asks.
      if (redis.status !== 'ready') return;
      if (!told) log.error('Redis refuses a subscription', { channels, patterns, reason: String(error) });
      told = true;
      setTimeout(() => {
        if (redis.status === 'ready') void ask();
      }, againMs).unref();
    }
  };
  open(() => void ask());
}
