import type { Duplex } from 'node:stream';

/** How long a client may take to read the last that it is told, in milliseconds. */
const patienceMs = 2000;

/**
 * Parts with a client on a connection that Node has handed over: says that nothing more comes, and reads on for a
 * moment, so that what the client still sends tears neither our last words away nor hides that it has left.
 * @see RFC 9112 §9.6
 */
export function part(socket: Duplex): void {
  socket.end();
  socket.resume();
  const cut = setTimeout(() => socket.destroy(), patienceMs);
  socket.once('close', () => clearTimeout(cut));
}
