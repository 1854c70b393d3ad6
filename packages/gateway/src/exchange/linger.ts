import type { Socket } from 'node:net';

/** As long and as much as is read of what a client still sends after its answer. */
const patienceMs = 5000;
const maxBytes = 16 * 1024 * 1024;
const lookEveryMs = 100;

/**
 * Lets a client read our answer that is still sending its request. A connection that is closed with bytes unread is
 * reset, and a reset takes away what the client has not read yet: a blocked upload would end without a word. So where
 * the connection is to end, our half of it ends first, and what still comes is dropped until the client closes too.
 * @see RFC 9112 §9.6
 */
export function lingerAtClose(socket: Socket): void {
  const linger = () => {
    socket.end();
    const { bytesRead } = socket;
    const until = performance.now() + patienceMs;
    const look = setInterval(() => {
      if (performance.now() > until || socket.bytesRead - bytesRead > maxBytes) socket.destroy();
    }, lookEveryMs);
    socket.once('close', () => clearInterval(look));
  };
  // Which is how Node ends a connection after its last answer.
  socket.destroySoon = linger;
}
