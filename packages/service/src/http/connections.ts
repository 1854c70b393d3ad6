import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Log } from '../log.ts';
import { knownAs } from './caller-address.ts';
import { callerNetwork } from './caller-network.ts';

/** How long the server waits for a client, in milliseconds; options of Fastify's. */
export const patience = {
  /** for all of a request: four megabytes, the largest, in that time are 1.1 Mbit/s */
  requestTimeout: 30_000,
  /** on which nothing moves: a reader that stops reading; streams have a heartbeat every 15 s, statements end after 60 s */
  connectionTimeout: 120_000,
  /** longer than the 60 s after which proxies in front commonly let go, who would else send into a closing connection */
  keepAliveTimeout: 72_000,
  http: {
    /** for the head, of which honest ones come in one packet or two; a connection that says nothing counts as one */
    headersTimeout: 10_000,
    /** how late those two are noticed */
    connectionsCheckingInterval: 5_000,
  },
};

/** How many connections there may be at a time. */
export interface ConnectionLimits {
  /** of everybody but the exempt: a hundred people with ten each */
  readonly most: number;
  /** of one address (IPv6: a /64) once half of `most` are open: ten people behind one, with the six of a browser */
  readonly perClientUnderLoad: number;
  /** of all, the exempt among them: well below the descriptors that a process may have */
  readonly all: number;
}

const limitsInForce: ConnectionLimits = { most: 1000, perClientUnderLoad: 64, all: 2000 };

/** Proxies speak for many, and who is on this machine must get in when strangers are at the door. */
const thisMachine = ['127.0.0.0/8', '::1'];

export interface BoundOptions {
  readonly log: Log;
  /** proxies whose connections are many people's */
  readonly adminTrustedProxies?: readonly string[] | undefined;
}

/** The log says that connections are refused so often at most. */
const sayEveryMs = 60_000;

/** Closes new connections that are too many, so that strangers leave room for others. Call before it listens. */
export function boundConnections(
  server: Server,
  { log, adminTrustedProxies = [] }: BoundOptions,
  limits: ConnectionLimits = limitsInForce,
  ownAddresses: readonly string[] = thisMachine,
): void {
  const isExempt = knownAs([...adminTrustedProxies, ...ownAddresses]);
  const open = new Map<string, number>();
  let total = 0;
  let said = Number.NEGATIVE_INFINITY;
  server.maxConnections = limits.all;
  const refuse = (socket: Socket, address: string) => {
    socket.destroy();
    if (performance.now() - said < sayEveryMs) return;
    said = performance.now();
    log.warn('The console has too many connections and closes new ones', { address, open: total });
  };
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress;
    // Gone already.
    if (address === undefined) return void socket.destroy();
    if (isExempt(address)) return;
    const client = callerNetwork(address.replace(/^::ffff:(?=\d+\.)/i, ''));
    const own = open.get(client) ?? 0;
    if (total >= limits.most || (total >= limits.most / 2 && own >= limits.perClientUnderLoad)) {
      refuse(socket, address);
      return;
    }
    total += 1;
    open.set(client, own + 1);
    socket.once('close', () => {
      total -= 1;
      const left = (open.get(client) ?? 1) - 1;
      if (left > 0) open.set(client, left);
      else open.delete(client);
    });
  });
}

/** How long calls may go on that are under way when the server stops; a launcher waits 15 s for all of the process. */
const lastCallsMs = 8000;

/**
 * Once the app closes, each connection ends with the answer that is under way on it, and at once where there is none:
 * Node looks for idle ones a single time, and no longer for those that say nothing. Call before it listens.
 */
export function endConnectionsAtClose(app: FastifyInstance, graceMs = lastCallsMs): void {
  const { server } = app;
  const open = new Set<Socket>();
  const answering = new Set<Socket>();
  let closing = false;
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    answering.add(socket);
    response.once('close', () => {
      answering.delete(socket);
      // Its head may have been sent before, with the promise to take another request.
      if (closing) socket.destroySoon();
    });
  });
  app.addHook('onSend', async (_request, reply) => {
    if (closing) reply.header('Connection', 'close');
  });
  app.addHook('preClose', async () => {
    closing = true;
    for (const socket of open) if (!answering.has(socket)) socket.destroy();
    const late = setTimeout(() => server.closeAllConnections(), graceMs);
    server.once('close', () => clearTimeout(late));
  });
}
