import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { Exchange } from '../exchange/index.ts';
import { part } from '../listener/index.ts';
import type { Member } from './group.ts';
import { describeFailure, type UpstreamFailure } from './relay.ts';
import { upstreamHeaders } from './request-headers.ts';
import { clientHeaders } from './response-headers.ts';

export interface UpgradeOptions {
  /** sends the upstream's own name as Host instead of the client's */
  readonly rewriteHost: boolean;
  /** called once when the upstream gave no answer; nothing was written to the client then */
  readonly onFailure: (failure: UpstreamFailure, member: Member) => void;
}

/**
 * Switches a client's connection to the protocol that it asked for, once the upstream agrees, and joins the two
 * ends until either closes. An upstream that declines has its ordinary answer passed on.
 * @param client.head bytes that the client sent behind its request
 */
export function forwardUpgrade(
  exchange: Exchange,
  member: Member,
  client: { readonly socket: Duplex; readonly head: Buffer },
  options: UpgradeOptions,
): void {
  const { socket, head } = client;
  let controller: Dispatcher.DispatchController | undefined;
  let answered = false;
  const leave = () => controller?.abort(new Error('client closed the connection'));
  socket.once('close', () => {
    if (exchange.status !== switching) leave();
  });
  const unwatch = watchLeaving(socket);
  const begin = (
    status: number,
    raw: Dispatcher.DispatchController['rawHeaders'],
    more: readonly string[],
  ) => {
    answered = true;
    unwatch();
    exchange.status = status;
    socket.write(headOf(status, Array.isArray(raw) ? raw : [], more), 'latin1');
  };
  const fail = (error: Error) => {
    unwatch();
    member.failed(exchange.startedAt);
    options.onFailure(describeFailure(error), member);
  };
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: (started) => {
      controller = started;
      if (socket.destroyed) leave();
    },
    onRequestUpgrade: (upgraded, status, headers, upstreamSocket) => {
      if (!accepts(exchange, headers)) {
        upstreamSocket.on('error', () => undefined).destroy();
        fail(new Error('it switches protocols without accepting the handshake'));
        return;
      }
      begin(status, upgraded.rawHeaders, ['Connection: Upgrade', 'Upgrade: websocket']);
      join(exchange, socket, upstreamSocket, head);
    },
    ...declining(exchange, socket, begin),
    onResponseError: (_controller, error) => {
      if (answered || socket.destroyed) socket.destroy();
      else fail(error);
    },
  };
  try {
    const host = options.rewriteHost ? member.upstream.authority : undefined;
    const headers = upstreamHeaders(exchange, { host });
    // It keeps the connection for itself anyway, and a kept one might have gone stale.
    const fresh = member.upstream.fresh();
    fresh.dispatch({ path: exchange.target, method: 'GET', headers, upgrade: 'websocket' }, handler);
    void fresh.close();
  } catch (error) {
    fail(error instanceof Error ? error : new Error(String(error)));
  }
}

/**
 * Destroys a socket whose client closes its half of it. What it says meanwhile stays unread, up to what a socket holds.
 * @returns ends this
 */
function watchLeaving(socket: Duplex): () => void {
  const leave = () => socket.destroy();
  // The end is told to who reads.
  const look = () => {
    if (socket.readableLength === 0) socket.read();
  };
  socket.on('readable', look).once('end', leave);
  return () => void socket.off('readable', look).off('end', leave);
}

/** The answer of an upstream that stays with HTTP. */
function declining(
  exchange: Exchange,
  socket: Duplex,
  begin: (status: number, raw: Dispatcher.DispatchController['rawHeaders'], more: readonly string[]) => void,
): Dispatcher.DispatchHandler {
  return {
    onResponseStart: (declined, status) => {
      if (status < 200) return;
      begin(status, declined.rawHeaders, ['Connection: close']);
      // Nothing that the client still says counts; unread, its leaving would go unseen. Closing its half is leaving.
      socket.once('end', () => socket.destroy()).resume();
    },
    onResponseData: (declined, chunk) => {
      exchange.bytesOut += chunk.length;
      writePaced(socket, chunk, declined);
    },
    onResponseEnd: () => part(socket),
  };
}

const switching = 101;

/**
 * What an upstream that speaks WebSocket answers to a key. A 101 without it may be the answer of another server that
 * an upstream was made to fetch: joined to that, the client would speak HTTP behind our back.
 * @see RFC 6455 §4.2.2
 */
function accepts(exchange: Exchange, headers: IncomingHttpHeaders): boolean {
  const key = exchange.header('sec-websocket-key')?.trim();
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  return headers['sec-websocket-accept'] === accept;
}

function writePaced(socket: Duplex, chunk: Buffer, controller: Dispatcher.DispatchController): void {
  if (socket.write(chunk)) return;
  controller.pause();
  socket.once('drain', () => controller.resume());
}

function headOf(status: number, raw: readonly (Buffer | string)[], more: readonly string[]): string {
  const { headers } = clientHeaders(raw);
  const lines = [`HTTP/1.1 ${status} ${status === switching ? 'Switching Protocols' : 'Declined'}`, ...more];
  for (let i = 0; i + 1 < headers.length; i += 2) lines.push(`${headers[i]}: ${headers[i + 1]}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** Each end reads as fast as the other writes; when one is gone the other goes too. */
function join(exchange: Exchange, client: Duplex, upstream: Duplex, head: Buffer): void {
  const endBoth = () => {
    client.destroy();
    upstream.destroy();
  };
  client.on('error', endBoth).on('close', endBoth);
  upstream.on('error', endBoth).on('close', endBoth);
  client.on('data', (chunk: Buffer) => {
    exchange.bytesIn += chunk.length;
  });
  upstream.on('data', (chunk: Buffer) => {
    exchange.bytesOut += chunk.length;
  });
  if (head.length > 0) upstream.write(head);
  client.pipe(upstream);
  upstream.pipe(client);
}
