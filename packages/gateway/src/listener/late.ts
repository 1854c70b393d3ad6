import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Connections whose request is not there although its time is up, until they were read once more. */
const late = new Set<Duplex>();

/** What a body gets beyond its time where more of it had come, in milliseconds. */
const lastMomentMs = 1000;

/** To be called with the connection of each request. */
export function notLate(socket: Duplex): void {
  if (late.size > 0) late.delete(socket);
}

/**
 * Refuses a request whose time is up, but once what lies in the kernel was read: where the whole process was held still,
 * with its machine or by a busy one, its timers are due before that, and a client that was never slow would be refused.
 * Immediates come after reading. What else is wrong with a request is refused at once.
 * @param answer to the request whose body is late; undefined where its head is
 */
export function refuseLate(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  answer: ServerResponse | undefined,
  refuse: () => void,
): void {
  if (error.code !== 'ERR_HTTP_REQUEST_TIMEOUT') {
    refuse();
    return;
  }
  // Behind a whole request it is the head of the next that is late.
  if (answer === undefined || answer.req.complete) {
    late.add(socket);
    setImmediate(() => {
      if (late.delete(socket)) refuse();
    });
    return;
  }
  const { bytesRead } = socket as Socket;
  const judge = (mayWait: boolean) => {
    if (answer.req.complete || socket.destroyed) return;
    // The kernel holds no more than a part of it.
    const comes = (socket as Socket).bytesRead > bytesRead;
    if (comes && mayWait) setTimeout(judge, lastMomentMs, false);
    else refuse();
  };
  setImmediate(judge, true);
}
