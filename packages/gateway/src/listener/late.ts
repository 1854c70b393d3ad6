import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { endLate } from './last-moment.ts';

/** What is done where a request is late. */
export interface LateRequest {
  readonly refuse: () => void;
  /** for its body, where its head came at the last moment */
  readonly bodyTimeoutMs: number;
}

/** Connections whose head is not there although its time is up, until they were read once more. */
const late = new Map<Duplex, LateRequest>();

/** To be called with each request once its head is there. */
export function notLate(request: IncomingMessage): void {
  if (late.size === 0) return;
  const { socket, headers } = request;
  const found = late.get(socket);
  if (found === undefined) return;
  late.delete(socket);
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return;
  // Node has struck it off: it looks at the times of a connection again from the next head on.
  const timer = setTimeout(endLateBody, found.bodyTimeoutMs, request, found.refuse);
  request.once('close', () => clearTimeout(timer));
}

/**
 * Refuses a request whose time is up, see {@link endLate}. What else is wrong with a request is refused at once.
 * @param answer to the request whose body is late; undefined where its head is
 */
export function refuseLate(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  answer: ServerResponse | undefined,
  request: LateRequest,
): void {
  if (error.code !== 'ERR_HTTP_REQUEST_TIMEOUT') {
    request.refuse();
    return;
  }
  // Behind a whole request it is the head of the next that is late.
  if (answer !== undefined && !answer.req.complete) {
    endLateBody(answer.req, request.refuse);
    return;
  }
  late.set(socket, request);
  socket.once('close', () => late.delete(socket));
  endLate(socket as Socket, {
    arrived: () => !late.has(socket),
    end: () => {
      late.delete(socket);
      request.refuse();
    },
  });
}

function endLateBody(request: IncomingMessage, refuse: () => void): void {
  endLate(request.socket, { arrived: () => request.complete, end: refuse });
}
