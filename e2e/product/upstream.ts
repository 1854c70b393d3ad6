import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A web application to protect, on a free port. */
export async function startUpstream(handler: Handler): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  body: string;
}

export interface Ask {
  port: number;
  host: string;
  path?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  /** the client's own address, such as 127.0.0.9 */
  from?: string;
}

/** One request as a client sends it, on a connection of its own, the Host header and path exactly as given. */
export function ask({
  port,
  host,
  path = '/',
  method = 'GET',
  headers = {},
  body,
  from,
}: Ask): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const outgoing = request(
    {
      host: '127.0.0.1',
      port,
      path,
      method,
      agent: false,
      headers: { host, ...headers },
      ...(from && { localAddress: from }),
    },
    (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          body: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    },
  );
  outgoing.on('error', reject);
  outgoing.end(body);
  return promise;
}
