import type { Server, Socket } from 'node:net';
import { parseAddress } from '@portcullis/contract/access';
import { type AddressSet, socketAddress } from '../access/index.ts';
import { endLate } from './last-moment.ts';
import { type ProxiedSource, parseProxyHeader } from './proxy-protocol.ts';

/** From whom a PROXY header is read. */
export interface ProxyProtocolPolicy {
  readonly enabled: boolean;
  readonly trusted: AddressSet;
}

export interface ProxiedConnectionsOptions {
  readonly policy: () => ProxyProtocolPolicy;
  /** a trusted balancer sent something else; its connection is closed */
  readonly onRefused: (peerIp: string, reason: string) => void;
  /** how long the header may take, in milliseconds */
  readonly timeoutMs?: number;
}

type Endpoint = Pick<Socket, 'remoteAddress' | 'remotePort' | 'localAddress' | 'localPort' | 'destroyed'>;

/**
 * Puts a PROXY protocol reader in front of servers, and knows afterwards where each of their connections comes
 * from. Connections from anyone but a trusted proxy go straight on: a header from them is then no HTTP.
 */
export class ProxiedConnections {
  readonly #options: ProxiedConnectionsOptions;
  /** by the connection's two ends, which a TLS socket shares with the plain one below it */
  readonly #sources = new Map<string, ProxiedSource>();

  constructor(options: ProxiedConnectionsOptions) {
    this.#options = options;
  }

  /** @param server http, https or http2 server, before or after it listens */
  attach(server: Server): void {
    const accept = server.listeners('connection') as ((socket: Socket) => void)[];
    server.removeAllListeners('connection');
    server.on('connection', (socket: Socket) => {
      const proceed = () => {
        for (const listener of accept) listener.call(server, socket);
      };
      if (this.#expectsHeader(socket)) this.#read(socket, proceed);
      else proceed();
    });
  }

  /** @returns the source that the balancer named, or undefined where the socket's own address counts */
  sourceOf(socket: Endpoint): ProxiedSource | undefined {
    const named = this.#sources.size === 0 ? undefined : this.#sources.get(keyOf(socket));
    if (named !== undefined || !socket.destroyed) return named;
    return this.#expectsHeader(socket) ? forgotten : undefined;
  }

  #expectsHeader(socket: Endpoint): boolean {
    const { enabled, trusted } = this.#options.policy();
    if (!enabled) return false;
    const peer = parseAddress(socket.remoteAddress ?? '');
    return peer !== undefined && trusted.has(peer);
  }

  #read(socket: Socket, proceed: () => void): void {
    const peerIp = socketAddress(socket.remoteAddress);
    const refuse = (reason: string) => {
      settle();
      socket.destroy();
      this.#options.onRefused(peerIp, reason);
    };
    let settled = false;
    const late = { arrived: () => settled, end: () => refuse('the PROXY header did not arrive in time') };
    const timer = setTimeout(() => endLate(socket, late), this.#options.timeoutMs ?? 5000);
    const settle = () => {
      settled = true;
      clearTimeout(timer);
      socket.off('readable', onReadable);
      socket.off('close', settle);
    };
    let held: Buffer = Buffer.alloc(0);
    const onReadable = () => {
      for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) {
        held = held.length === 0 ? (chunk as Buffer) : Buffer.concat([held, chunk as Buffer]);
        const header = parseProxyHeader(held);
        if (header.status === 'incomplete') continue;
        if (header.status === 'invalid') return refuse(header.reason);
        settle();
        if (header.source) this.#remember(socket, header.source);
        if (held.length > header.bytes) socket.unshift(held.subarray(header.bytes));
        return proceed();
      }
    };
    socket.on('error', ignore);
    socket.once('close', settle);
    socket.on('readable', onReadable);
  }

  #remember(socket: Socket, source: ProxiedSource): void {
    const key = keyOf(socket);
    this.#sources.set(key, source);
    socket.once('close', () => {
      // The next connection may have the same two ends before this one is known to be closed.
      if (this.#sources.get(key) === source) this.#sources.delete(key);
    });
  }
}

const keyOf = ({ remoteAddress, remotePort, localAddress, localPort }: Endpoint) =>
  `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;

/** Of a connection that is closed: nobody, for as the balancer's own it could say by a header whose it is. */
const forgotten: ProxiedSource = { address: '', port: 0 };

function ignore(): void {
  // A connection that breaks here has had no request yet: there is nothing to tell.
}
