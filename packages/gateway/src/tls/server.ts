import { constants } from 'node:crypto';
import { createSecureServer, type Http2SecureServer } from 'node:http2';
import type { Duplex } from 'node:stream';
import { createSecureContext, type TLSSocket } from 'node:tls';
import type { ServedCertificate } from '@portcullis/contract/certificates';
import { endLate, maxFields, maxHeadersCount } from '../listener/index.ts';
import { type CertificateStore, cipherSuites } from './certificates.ts';
import { guardSession, guardStream, type SessionLimits } from './session-guard.ts';

/** Bounds on one connection. Times in milliseconds. */
export interface TlsLimits extends SessionLimits {
  readonly headersTimeoutMs: number;
}

export interface TlsServerOptions {
  /** asked at every handshake, so that a new certificate counts from the next connection on */
  readonly certificates: () => CertificateStore | undefined;
  /** bounds the handshake, in milliseconds */
  readonly handshakeTimeoutMs: number;
  /** asked for each connection and stream of HTTP/2; for HTTP/1.1 see {@link applyTlsLimits} */
  readonly limits: () => TlsLimits;
  readonly maxHeaderBytes: number;
  /** bytes that are no request, or a handshake that came to nothing: to end the connection */
  readonly onClientError: (error: Error, socket: Duplex) => void;
}

/** Streams that one HTTP/2 client may have open at once. */
const maxConcurrentStreams = 128;

/** Nobody needs it, HTTP/2 forbids it (RFC 9113 §9.2.1), and each one costs a handshake. */
const secureOptions = constants.SSL_OP_NO_RENEGOTIATION;

const contextOptions = {
  minVersion: 'TLSv1.2',
  ciphers: cipherSuites,
  // Node derives it from the command line, which differs between workers.
  sessionIdContext: 'portcullis',
  secureOptions,
} as const;

/** Has nothing to show, so that OpenSSL tells the client by an alert that no handshake comes about. */
const nobody = createSecureContext(contextOptions);

/**
 * An HTTPS server for HTTP/2 and HTTP/1.1 that has not been started. It has no certificate of its own: a client
 * that asks for a name which nobody serves gets no handshake, and learns no other name.
 */
export function createTlsServer(options: TlsServerOptions): Http2SecureServer {
  const server = createSecureServer({
    allowHTTP1: true,
    ALPNProtocols: ['h2', 'http/1.1'],
    ...contextOptions,
    handshakeTimeout: options.handshakeTimeoutMs,
    SNICallback: (serverName, done) => {
      done(null, options.certificates()?.find(serverName) ?? nobody);
    },
    ...http1Options(options.maxHeaderBytes),
    ...http2Bounds(options.maxHeaderBytes),
  });
  // As on a clear server, though Node's types do not tell.
  Object.assign(server, { maxHeadersCount });
  applyTlsLimits(server, options.limits());
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ERR_TLS_HANDSHAKE_TIMEOUT') endLateHandshake(socket as TLSSocket);
    else options.onClientError(error, socket);
  });
  server.on('session', (session) => guardSession(session, options.limits()));
  server.on('stream', (stream) => guardStream(stream, options.limits()));
  return server;
}

function endLateHandshake(socket: TLSSocket): void {
  let secure = false;
  socket.once('secure', () => {
    secure = true;
  });
  endLate(socket, { arrived: () => secure, end: () => socket.destroy(), unseen: true });
}

/** Puts changed limits in force for HTTP/1.1, without touching open connections. */
export function applyTlsLimits(server: Http2SecureServer, limits: TlsLimits): void {
  const { headersTimeoutMs, requestTimeoutMs, keepAliveTimeoutMs, idleTimeoutMs } = limits;
  // As on a clear server, though Node's types do not tell.
  const times = { headersTimeout: headersTimeoutMs, requestTimeout: requestTimeoutMs };
  Object.assign(server, { ...times, keepAliveTimeout: keepAliveTimeoutMs });
  // The sessions of HTTP/2 get bounds of their own.
  server.setTimeout(idleTimeoutMs);
}

/** What of a configuration the server itself holds, beside the certificates that it asks for. */
export interface TlsState {
  readonly fallback: ServedCertificate | undefined;
  /** base64 of 48 bytes, shared by all workers so that a session resumes with any; absent keeps the server's own */
  readonly ticketKey: string | undefined;
}

/** Puts a configuration in force for the handshakes to come. Open connections stay as they are. */
export function applyTlsState(server: Http2SecureServer, { fallback, ticketKey }: TlsState): void {
  const own = fallback && { cert: fallback.chain, key: fallback.privateKey };
  server.setSecureContext({ ...contextOptions, ...own });
  // After the context: a new one begins with random keys.
  if (ticketKey !== undefined) server.setTicketKeys(Buffer.from(ticketKey, 'base64'));
}

/** What the HTTP/1.1 side of the server takes, as the clear listener has it. */
function http1Options(maxHeaderSize: number) {
  return {
    insecureHTTPParser: false,
    requireHostHeader: false, // checked with the framing, which says why
    maxHeaderSize,
    connectionsCheckingInterval: 1000,
    noDelay: true,
  };
}

/**
 * Bounds against floods of cheap frames: rapid reset (CVE-2023-44487) by a budget of resets, resets that a client
 * provokes (MadeYouReset, CVE-2025-8671) by one of invalid frames beside nghttp2's own of glitches, CONTINUATION
 * floods (CVE-2024-27316) by a header list that ends. PING and SETTINGS are bounded by {@link guardSession}.
 */
function http2Bounds(maxHeaderBytes: number) {
  return {
    settings: {
      maxConcurrentStreams,
      maxHeaderListSize: maxHeaderBytes,
      enablePush: false,
      initialWindowSize: 256 * 1024,
    },
    maxSessionMemory: 8,
    maxOutstandingPings: 4,
    maxOutstandingSettings: 4,
    maxHeaderListPairs: maxFields,
    maxSessionInvalidFrames: 20,
    maxSessionRejectedStreams: 50,
    streamResetBurst: 200,
    streamResetRate: 20,
    unknownProtocolTimeout: 5000,
    strictFieldWhitespaceValidation: true,
    // An upstream that says Content-Type twice gets its answer through, as over HTTP/1.1.
    strictSingleValueFields: false,
  };
}
