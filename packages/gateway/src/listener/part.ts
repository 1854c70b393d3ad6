import type { Duplex } from 'node:stream';

/** How long a client may take to read the last that it is told, in milliseconds. */
const patienceMs = 2000;

/**
 * Parts with a client on a connection that Node has handed over: says that nothing more comes, and reads on for a
 * moment, so that what the client still sends tears neither our last words away nor hides that it has left. The moment
 * begins when the last words are out: until then the caller bounds how long its client may take to read them.
 * @see RFC 9112 §9.6
 */
export function part(socket: Duplex): void {
  socket.resume();
  socket.end(() => {
    const cut = setTimeout(() => socket.destroy(), patienceMs);
    socket.once('close', () => clearTimeout(cut));
  });
}
