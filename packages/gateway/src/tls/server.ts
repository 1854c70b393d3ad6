import { createSecureServer, type Http2SecureServer } from 'node:http2';
import { type CertificateStore, cipherSuites } from './certificates.ts';

export interface TlsServerOptions {
  /** asked at every handshake, so that a new certificate counts from the next connection on */
  readonly certificates: () => CertificateStore | undefined;
  /** bounds the handshake, in milliseconds */
  readonly handshakeTimeoutMs: number;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  readonly maxHeaderBytes: number;
}

/** Streams that one HTTP/2 client may have open at once. */
const maxConcurrentStreams = 128;

/**
 * An HTTPS server for HTTP/2 and HTTP/1.1 that has not been started. It has no certificate of its own: a client
 * that asks for a name which nobody serves gets no handshake, and learns no other name.
 */
export function createTlsServer(options: TlsServerOptions): Http2SecureServer {
  const server = createSecureServer({
    allowHTTP1: true,
    ALPNProtocols: ['h2', 'http/1.1'],
    minVersion: 'TLSv1.2',
    ciphers: cipherSuites,
    handshakeTimeout: options.handshakeTimeoutMs,
    // Renegotiation is off in TLS 1.3 and needless below.
    SNICallback: (serverName, done) => {
      const context = options.certificates()?.find(serverName);
      if (context) done(null, context);
      else done(new Error(`no certificate for ${serverName.slice(0, 253)}`));
    },
    ...http1Options(options),
    ...http2Bounds(options.maxHeaderBytes),
  });
  server.on('session', (session) => {
    session.setTimeout(options.keepAliveTimeoutMs, () => session.close());
  });
  return server;
}

/** What the HTTP/1.1 side of the server takes, as the clear listener has it. */
function http1Options(options: TlsServerOptions) {
  return {
    insecureHTTPParser: false,
    requireHostHeader: false, // checked with the framing, which says why
    maxHeaderSize: options.maxHeaderBytes,
    headersTimeout: options.headersTimeoutMs,
    requestTimeout: options.requestTimeoutMs,
    keepAliveTimeout: options.keepAliveTimeoutMs,
    connectionsCheckingInterval: 1000,
    noDelay: true,
  };
}

/**
 * Bounds against floods of cheap frames: rapid reset (CVE-2023-44487) by a budget of resets, CONTINUATION floods
 * (CVE-2024-27316) by a header list that ends, settings and ping floods by the session's memory and queue.
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
    maxHeaderListPairs: 512,
    maxSessionInvalidFrames: 20,
    maxSessionRejectedStreams: 50,
    streamResetBurst: 200,
    streamResetRate: 20,
    unknownProtocolTimeout: 5000,
    strictFieldWhitespaceValidation: true,
  };
}
