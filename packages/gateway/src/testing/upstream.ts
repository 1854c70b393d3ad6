import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';

export interface StartedUpstream extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
}

export interface HttpUpstream extends StartedUpstream {
  /** every request that reached it, body read by the handler or not */
  readonly requests: IncomingMessage[];
  readonly server: Server;
}

/** A real HTTP server behind the gateway. */
export async function startUpstream(
  handler: (request: IncomingMessage, response: ServerResponse) => void = (_request, response) =>
    void response.end('hello'),
): Promise<HttpUpstream> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    server,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A server that answers with bytes of the test's choice, for upstreams that misbehave. */
export async function startRawUpstream(
  onData: (socket: Socket, bytes: Buffer) => void,
): Promise<StartedUpstream> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    socket.on('data', (bytes: Buffer) => onData(socket, bytes));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
