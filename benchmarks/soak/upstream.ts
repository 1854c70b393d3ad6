import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** What stands behind the gateway during a soak. */
export interface SoakUpstream {
  readonly url: string;
  stop(): Promise<void>;
}

const endless = Buffer.alloc(65_536, 'x');

const handlers: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
  '/length': (request, response) => {
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
    });
    request.on('end', () => response.end(String(length)));
  },
  '/events': (request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    let id = 0;
    const timer = setInterval(() => response.write(`id: ${++id}\ndata: tick\n\n`), 20);
    request.on('close', () => clearInterval(timer));
  },
  '/endless': (_request, response) => {
    const write = () => {
      while (!response.destroyed && response.write(endless));
    };
    response.on('drain', write);
    write();
  },
  '/never': () => undefined,
  '/gone': (request) => request.socket.destroy(),
  '/short': (request, response) => {
    response.writeHead(200, { 'Content-Length': 1000 });
    response.write('part', () => request.socket.destroy());
  },
};

/** A node:http server with a path for each way to behave, good and bad; every WebSocket is an echo. */
export async function startSoakUpstream(): Promise<SoakUpstream> {
  const body = 'x'.repeat(1024);
  const server = createServer((request, response) => {
    const handler = handlers[request.url ?? ''];
    if (handler) handler(request, response);
    else request.resume().on('end', () => response.end(body));
  });
  // Both ends share a busy machine: the gateway is to let go of idle connections first, by a wide margin.
  server.keepAliveTimeout = 120_000;
  server.on('upgrade', (request: IncomingMessage, socket: Socket) => {
    const accept = createHash('sha1')
      .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    socket.on('error', () => undefined);
    socket.pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
