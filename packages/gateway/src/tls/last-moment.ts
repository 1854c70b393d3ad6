import type { Duplex } from 'node:stream';

/** What a handshake gets beyond its time, in milliseconds. */
const lastMomentMs = 1000;

/**
 * Gives a handshake whose time is up a last moment. Where the whole process was held still, with its machine or by a
 * busy one, its timers are due before it reads what came meanwhile, and a client that was never slow would be cut off.
 * @returns whether the error was such a timeout; then the connection ends here, unless its handshake does
 */
export function hasLastMoment(error: NodeJS.ErrnoException, socket: Duplex): boolean {
  if (error.code !== 'ERR_TLS_HANDSHAKE_TIMEOUT') return false;
  const cut = setTimeout(() => socket.destroy(), lastMomentMs);
  for (const event of ['secure', 'close']) socket.once(event, () => clearTimeout(cut));
  return true;
}
