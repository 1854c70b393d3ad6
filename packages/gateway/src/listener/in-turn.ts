import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ClientRequest, ClientResponse } from '../exchange/index.ts';
import { notLate } from './late.ts';

/** Requests that a connection may send ahead, each of which holds its head. Browsers send none, apt ten. */
const maxWaiting = 16;

const waiting = new WeakMap<Duplex, number>();

/**
 * Begins a request of HTTP/1.1 once those that its client sent before it on the same connection are answered. Node
 * hands over all of them at once: one connection would then do the work of hundreds, and it closes only the answer
 * that is being sent, so that whatever waits behind it would never hear of the client's leaving.
 * A connection that sends more ahead than {@link maxWaiting} is closed.
 */
export function inTurn(request: ClientRequest, response: ClientResponse, begin: () => void): void {
  notLate(request);
  // What comes behind the answer that ends the connection is nobody's: RFC 9112 §9.6.
  if (!request.socket.writable) {
    request.socket.destroy();
    return;
  }
  // Node gives an answer the socket when it may be sent.
  if (response.socket !== null) {
    begin();
    return;
  }
  const { socket } = request;
  const ahead = (waiting.get(socket) ?? 0) + 1;
  if (ahead > maxWaiting) {
    socket.destroy();
    return;
  }
  waiting.set(socket, ahead);
  response.once('socket', () => {
    waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
    if (!socket.destroyed) begin();
  });
}

/**
 * The answer that a connection of HTTP/1.1 waits for or receives: whatever else is written to it meanwhile would
 * land within that answer. Node keeps it there.
 */
export function answerUnderWay(socket: Duplex): ServerResponse | undefined {
  const answer = '_httpMessage' in socket ? (socket._httpMessage as ServerResponse | null) : null;
  return answer ?? undefined;
}
