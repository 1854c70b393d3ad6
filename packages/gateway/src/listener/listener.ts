import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Server as NetServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { createServer } from '../http-server.ts';
import { maxFields } from './framing.ts';
import { answerUnderWay, inTurn } from './in-turn.ts';
import { notLate, refuseLate } from './late.ts';

/** Bounds on one connection, in force from the next request on. Times in milliseconds. */
export interface ConnectionLimits {
  readonly maxConnections: number;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  /** without a byte in either direction within a request: a reader that stalls holds its upstream no longer */
  readonly idleTimeoutMs: number;
}

export interface ListenerHandlers {
  onRequest(request: IncomingMessage, response: ServerResponse): void;
  onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  onClientError(error: Error, socket: Duplex): void;
}

/** of one request's head */
export const maxHeaderBytes = 32 * 1024;

/**
 * Fields that Node keeps of a request's head. Four thousand short ones take forty times the bytes in which they came;
 * one more than are served tells `checkFraming` that there were too many.
 */
export const maxHeadersCount = maxFields + 1;

/** An HTTP/1.1 server with strict parsing that has not been started. */
export function createHttpServer(handlers: ListenerHandlers, limits: ConnectionLimits): Server {
  const server = createServer({
    insecureHTTPParser: false,
    requireHostHeader: false, // checked by checkFraming, which says why and records it
    maxHeaderSize: maxHeaderBytes,
    keepAlive: true,
    noDelay: true,
    optimizeEmptyRequests: true,
    shouldUpgradeCallback: isWebSocket,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: 1000,
  });
  server.maxHeadersCount = maxHeadersCount;
  server.maxConnections = limits.maxConnections;
  server.timeout = limits.idleTimeoutMs;
  const onRequest = (request: IncomingMessage, response: ServerResponse) =>
    inTurn(request, response, () => handlers.onRequest(request, response));
  for (const event of ['request', 'checkContinue', 'checkExpectation'] as const) server.on(event, onRequest);
  server.on('upgrade', (request, socket: Duplex, head) => {
    notLate(request);
    handlers.onUpgrade(request, socket, head);
  });
  server.on('connect', (_request, socket: Duplex) => {
    // Node has let go of it: who resets it now would else end the process.
    socket.on('error', () => undefined);
    if (answerUnderWay(socket)) socket.destroy();
    else socket.end('HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
  });
  const bodyTimeoutMs = () => server.requestTimeout - server.headersTimeout;
  server.on('clientError', onceRead(handlers.onClientError, bodyTimeoutMs));
  server.on('dropRequest', (_request, socket: Duplex) => socket.destroy());
  return server;
}

/**
 * @param bodyTimeoutMs what a body gets whose head came at the last moment
 * @returns the same for requests whose time is up, once what came of them meanwhile was read; see {@link refuseLate}
 */
export function onceRead(
  refuse: (error: Error, socket: Duplex) => void,
  bodyTimeoutMs: () => number,
): (error: Error, socket: Duplex) => void {
  return (error, socket) =>
    refuseLate(error, socket, answerUnderWay(socket), {
      refuse: () => refuse(error, socket),
      bodyTimeoutMs: bodyTimeoutMs(),
    });
}

/**
 * Only a WebSocket handshake switches protocols. Everything else that names `Upgrade`, such as h2c, is an ordinary
 * request: behind a switch nobody looks at what is said, which is a smuggling vector. So is a handshake that was sent
 * ahead of the answer to the request before it: the connection is not free to switch. Of HTTP/1.0 the field must be
 * ignored.
 * @see RFC 6455 §4.1, RFC 9110 §7.8
 */
export function isWebSocket({ method, headers, socket, httpVersion }: IncomingMessage): boolean {
  return (
    method === 'GET' &&
    httpVersion === '1.1' &&
    headers.upgrade?.toLowerCase() === 'websocket' &&
    headers['sec-websocket-key'] !== undefined &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    socket.writable &&
    answerUnderWay(socket) === undefined
  );
}

/** Puts changed limits in force without touching open connections. */
export function applyLimits(server: Server, limits: ConnectionLimits): void {
  server.maxConnections = limits.maxConnections;
  server.headersTimeout = limits.headersTimeoutMs;
  server.requestTimeout = limits.requestTimeoutMs;
  server.keepAliveTimeout = limits.keepAliveTimeoutMs;
  server.timeout = limits.idleTimeoutMs;
}

/**
 * Listens on IPv6 and IPv4 where `host` is `::`, and on IPv4 alone where the system has no IPv6.
 * @param reusePort lets every worker bind the port itself, so that no parent stands in a request's way
 * @returns the port, which the system chose when `port` is 0. Rejects with the system's error, for example
 * `EADDRINUSE`
 */
export async function listen(
  server: NetServer,
  options: { host: string; port: number; reusePort: boolean },
): Promise<number> {
  try {
    return await bind(server, options);
  } catch (error) {
    if (options.host !== '::' || (error as NodeJS.ErrnoException).code !== 'EAFNOSUPPORT') throw error;
    return bind(server, { ...options, host: '0.0.0.0' });
  }
}

function bind(
  server: NetServer,
  options: { host: string; port: number; reusePort: boolean },
): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ ...options, exclusive: true, backlog: 4096 }, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** Stops accepting, lets answers under way finish, then cuts what is left after `graceMs`. */
export function drain(
  server: Pick<Server, 'close' | 'closeIdleConnections' | 'closeAllConnections' | 'listening'>,
  graceMs: number,
): Promise<void> {
  if (!server.listening) return Promise.resolve();
  return new Promise((resolve) => {
    const idle = setInterval(() => server.closeIdleConnections(), 50);
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearInterval(idle);
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}
