import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import Fastify from 'fastify';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createApp } from './app.ts';
import { boundConnections, endConnectionsAtClose, patience } from './connections.ts';

const soon = { timeout: 30_000, interval: 10 };
const sockets: Socket[] = [];
const logged: string[] = [];
const log = { info() {}, warn: (message: string) => void logged.push(message), error() {} };
let server: Server;

const portOf = (of: Server) => (of.address() as AddressInfo).port;

/** @returns whether the server answers on a connection from an address of this machine's, which then stays open */
async function isLetIn(localAddress: string): Promise<boolean> {
  const socket = connect({ port: portOf(server), host: '127.0.0.1', localAddress });
  sockets.push(socket);
  socket.on('error', () => {});
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  return Promise.race([once(socket, 'data').then(() => true), once(socket, 'close').then(() => false)]);
}

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  logged.length = 0;
  const closed = once(server, 'close');
  server.close();
  await closed;
});

describe('connections to the console', () => {
  const start = async () => {
    server = createServer((_request, response) => response.end());
    const limits = { most: 6, perClientUnderLoad: 2, all: 9 };
    boundConnections(server, { log, adminTrustedProxies: ['127.0.0.8'] }, limits, ['127.0.0.9']);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  };
  const tryFrom = async (...addresses: string[]) => {
    const results: boolean[] = [];
    for (const address of addresses) results.push(await isLetIn(address));
    return results;
  };

  it('are taken from one client until half are open, then only few of each, and it is said once', async () => {
    await start();
    expect(await tryFrom('127.0.0.2', '127.0.0.2', '127.0.0.2')).toEqual([true, true, true]);
    expect(await tryFrom('127.0.0.2', '127.0.0.2')).toEqual([false, false]);
    expect(await tryFrom('127.0.0.3', '127.0.0.3', '127.0.0.3')).toEqual([true, true, false]);
    expect(logged).toEqual(['The console has too many connections and closes new ones']);
  });

  it('that strangers hold leave room for named proxies and this machine, up to what the process bears', async () => {
    await start();
    await tryFrom('127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5', '127.0.0.6', '127.0.0.7');
    expect(await tryFrom('127.0.0.10')).toEqual([false]);
    expect(await tryFrom('127.0.0.8', '127.0.0.9', '127.0.0.9', '127.0.0.9')).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  it('make room when they end', async () => {
    await start();
    await tryFrom('127.0.0.2', '127.0.0.2', '127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5');
    expect(await isLetIn('127.0.0.10')).toBe(false);
    sockets[0]?.destroy();
    await vi.waitFor(async () => expect(await isLetIn('127.0.0.10')).toBe(true), soon);
  });

  it('end when a head or a body does not come', async () => {
    const app = await createApp({
      log,
      adminHost: '127.0.0.1',
      authenticate: async () => ({ status: 'absent' }),
      crossOrigin: async () => ({ corsEnabled: false, allowedOrigins: [] }),
      notReady: async () => undefined,
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    server = app.server;
    const { requestTimeout, timeout, keepAliveTimeout, headersTimeout } = server;
    const { http, connectionTimeout, ...told } = patience;
    expect({ requestTimeout, timeout, keepAliveTimeout, headersTimeout }).toEqual({
      ...told,
      timeout: connectionTimeout,
      headersTimeout: http.headersTimeout,
    });
    // They are looked at every five seconds, which is as long as this is to take.
    server.headersTimeout = 500;
    server.requestTimeout = 1000;
    const beginnings = [
      '',
      'GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ',
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    ];
    const ends = beginnings.map(async (text) => {
      const socket = connect(portOf(server), '127.0.0.1').on('error', () => {});
      sockets.push(socket);
      socket.write(text);
      socket.resume();
      await once(socket, 'close');
    });
    expect(await Promise.all(ends)).toHaveLength(3);
  });
});

describe('connections of a server that stops', () => {
  const listening = async (graceMs?: number) => {
    const app = Fastify({ keepAliveTimeout: 60_000 });
    endConnectionsAtClose(app, graceMs);
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<string>();
    app.get('/slow', () => {
      asked.resolve();
      return answer.promise;
    });
    app.get('/begun', async (_request, reply) => {
      reply.hijack();
      reply.raw.writeHead(200).flushHeaders();
      asked.resolve();
      reply.raw.end(await answer.promise);
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    server = app.server;
    return { app, asked: asked.promise, answer: answer.resolve };
  };
  /** @returns what came until the end of the connection */
  const says = async (text: string): Promise<string> => {
    const socket = connect(portOf(server), '127.0.0.1').on('error', () => {});
    sockets.push(socket);
    await once(socket, 'connect');
    socket.write(text);
    let received = '';
    socket.on('data', (data) => {
      received += data;
    });
    await once(socket, 'close');
    return received;
  };

  it.each(['/slow', '/begun'])(
    'end with the answer to %s that was under way, and at once without one',
    async (path) => {
      const { app, asked, answer } = await listening();
      const silent = [says(''), says('GET / HTTP/1.1\r\nHost: ')];
      const last = says(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      await asked;
      const began = performance.now();
      const closed = app.close();
      expect(await Promise.all(silent)).toEqual(['', '']);
      answer('the answer');
      await closed;
      expect(performance.now() - began).toBeLessThan(5000);
      expect(await last).toMatch(/^HTTP\/1\.1 200.*the answer/s);
    },
  );

  it('end after a while, whatever goes on', async () => {
    const { app, asked } = await listening(50);
    const last = says('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await asked;
    await app.close();
    expect(await last).toBe('');
  });
});
