import type { Server } from 'node:http';
import type {
  Http2SecureServer,
  Http2ServerRequest,
  Http2ServerResponse,
  ServerHttp2Session,
} from 'node:http2';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { parseAddress } from '@portcullis/contract/access';
import { addressSetOf, clientKey, isLoopback, socketAddress } from '../access/index.ts';
import { type ClientRequest, fromHttp2 } from '../exchange/index.ts';
import { ConnectionShares } from '../limits/index.ts';
import {
  applyLimits,
  createHttpServer,
  drain,
  inTurn,
  isWebSocket,
  listen,
  maxHeaderBytes,
  notLate,
  onceRead,
  ProxiedConnections,
} from '../listener/index.ts';
import { Line } from '../memory/index.ts';
import { type Configuration, connectionLimits } from '../sites/index.ts';
import { applyTlsLimits, applyTlsState, createTlsServer } from '../tls/index.ts';
import type { Journey } from './journey.ts';

export interface ListenersOptions {
  readonly journey: Journey;
  readonly configuration: () => Configuration | undefined;
  /** bytes that are no request */
  readonly onClientError: (error: Error, socket: Duplex) => void;
  /** what an HTTP/2 client did that ended its connection */
  readonly onSessionError: (error: Error, clientIp: string) => void;
  /** a trusted balancer that does not speak PROXY protocol */
  readonly onProxyRefused: (peerIp: string, reason: string) => void;
  /** a client that holds its share of connections while places are scarce wanted one more */
  readonly onCrowded: (clientIp: string) => void;
}

/** The two doors of a gateway, clear and TLS, with everything that knocks at them. */
export class Listeners {
  readonly #options: ListenersOptions;
  readonly #http: Server;
  readonly #https: Http2SecureServer;
  readonly #sockets = new Line<Socket>();
  readonly #sessions = new Line<ServerHttp2Session>();
  readonly #shares = new ConnectionShares();
  #limits = connectionLimits();
  /** the client's end of a connection, where a balancer names it by PROXY protocol the one behind that */
  readonly #clientIp: (socket: Socket) => string;

  constructor(options: ListenersOptions) {
    this.#options = options;
    const { journey, onClientError } = options;
    this.#http = createHttpServer(
      {
        onRequest: (request, response) => journey.handle(request, response, 'http'),
        onUpgrade: (request, socket, head) => journey.handleUpgrade(request, socket, head, 'http'),
        onClientError,
      },
      this.#limits,
    );
    this.#https = createTlsServer({
      certificates: () => options.configuration()?.certificates,
      handshakeTimeoutMs: 10_000,
      limits: () => this.#limits,
      maxHeaderBytes,
      onClientError: onceRead(
        onClientError,
        () => this.#limits.requestTimeoutMs - this.#limits.headersTimeoutMs,
      ),
    });
    this.#attachSecure();
    const proxied = new ProxiedConnections({
      policy: () => this.#proxyPolicy(),
      onRefused: options.onProxyRefused,
    });
    const sourceOf = (socket: Socket) => proxied.sourceOf(socket)?.address;
    journey.sourceOf = sourceOf;
    const clientIp = (socket: Socket) => sourceOf(socket) ?? socketAddress(socket.remoteAddress);
    this.#clientIp = clientIp;
    for (const server of [this.#http, this.#https]) {
      // In this order: a share is taken once the PROXY header has said whose it is, and a drain ends every connection.
      server.on('connection', (socket: Socket) => this.#takeShare(socket));
      proxied.attach(server);
      server.on('connection', (socket: Socket) => this.#track(socket));
    }
  }

  /** @returns whose connection it is, also where it carried no request */
  clientIp(socket: Socket): string {
    return this.#clientIp(socket);
  }

  get connections(): number {
    return this.#sockets.size;
  }

  async open(options: { host: string; httpPort: number; httpsPort: number; reusePort: boolean }) {
    const { host, reusePort } = options;
    const httpPort = await listen(this.#http, { host, port: options.httpPort, reusePort });
    try {
      const httpsPort = await listen(this.#https, { host, port: options.httpsPort, reusePort });
      this.#options.journey.httpsPort = httpsPort;
      return { httpPort, httpsPort };
    } catch (error) {
      await drain(this.#http, 0);
      throw error;
    }
  }

  /** Puts a configuration in force for the connections to come. */
  apply(configuration: Configuration): void {
    const limits = connectionLimits(configuration.snapshot.general);
    this.#limits = limits;
    applyLimits(this.#http, limits);
    applyTlsLimits(this.#https, limits);
    this.#https.maxConnections = limits.maxConnections;
    const { ticketKey } = configuration.snapshot.secrets;
    applyTlsState(this.#https, { fallback: configuration.certificates.fallback, ticketKey });
  }

  /** Stops accepting, lets answers under way finish, then cuts what is left. */
  async close(graceMs: number): Promise<void> {
    this.#options.journey.draining = true;
    for (const session of this.#sessions) session.close();
    const cut = setTimeout(() => {
      for (const socket of this.#sockets) socket.destroy();
    }, graceMs);
    const secure = new Promise<void>((resolve) => {
      if (this.#https.listening) this.#https.close(() => resolve());
      else resolve();
    });
    await Promise.all([drain(this.#http, graceMs), secure]);
    clearTimeout(cut);
  }

  #attachSecure(): void {
    const { journey, onSessionError } = this.#options;
    const server = this.#https;
    const onRequest = (request: Http2ServerRequest, response: Http2ServerResponse) => {
      const begin = () => journey.handle(...fromHttp2(request, response), 'https');
      // Not by its version, for on a connection of HTTP/1.1 it is the client who says that.
      const { stream }: { stream?: Http2ServerRequest['stream'] } = request;
      if (stream === undefined) inTurn(...fromHttp2(request, response), begin);
      // What a client takes back in the same breath, as rapid reset does, opens no connection to an upstream.
      else setImmediate(() => stream.closed || stream.destroyed || begin());
    };
    for (const event of ['request', 'checkContinue', 'checkExpectation'] as const)
      server.on(event, onRequest);
    server.on('upgrade', (request: ClientRequest, socket: Duplex, head: Buffer) => {
      notLate(request);
      if (isWebSocket(request)) journey.handleUpgrade(request, socket, head, 'https');
      else socket.destroy();
    });
    server.on('session', (session: ServerHttp2Session) => {
      const place = this.#sessions.join(session);
      session.once('close', () => this.#sessions.leave(place));
      const clientIp = this.#clientIp(session.socket);
      session.on('error', (error: NodeJS.ErrnoException) => {
        // Others are connections that merely broke.
        if (error.code?.startsWith('ERR_HTTP2_')) onSessionError(error, clientIp);
        session.destroy();
      });
    });
  }

  #proxyPolicy() {
    const configuration = this.#options.configuration();
    const enabled = configuration?.snapshot.security.proxyProtocol === true;
    return configuration && enabled
      ? { enabled, trusted: configuration.trustedProxies }
      : { enabled: false, trusted: noOne };
  }

  #track(socket: Socket): void {
    const place = this.#sockets.join(socket);
    socket.once('close', () => this.#sockets.leave(place));
  }

  #takeShare(socket: Socket): void {
    const configuration = this.#options.configuration();
    const clientIp = this.#clientIp(socket);
    const client = parseAddress(clientIp);
    // This machine and a proxy speak for everybody behind them.
    if (!configuration || !client || isLoopback(client) || configuration.trustedProxies.has(client)) return;
    const { general, security } = configuration.snapshot;
    const key = clientKey(client);
    const places = { all: general.maxConnections, perClient: security.maxConcurrentPerClient };
    if (this.#shares.enter(key, places)) {
      socket.once('close', () => this.#shares.leave(key));
      return;
    }
    socket.destroy();
    this.#options.onCrowded(clientIp);
  }
}

const noOne = addressSetOf([]);
