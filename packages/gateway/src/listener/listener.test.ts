import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, Server as NetServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type ConnectionLimits, createHttpServer, describeClientError, drain, listen } from './index.ts';

const limits: ConnectionLimits = {
  maxConnections: 2,
  headersTimeoutMs: 300,
  requestTimeoutMs: 600,
  keepAliveTimeoutMs: 300,
  idleTimeoutMs: 400,
};

const servers: Server[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => drain(server, 0)));
});

async function serve(
  onRequest: Parameters<typeof createHttpServer>[0]['onRequest'],
  own: Partial<ConnectionLimits> = {},
) {
  const refused: string[] = [];
  const server = createHttpServer(
    {
      onRequest,
      onUpgrade: (_request, socket) => socket.destroy(),
      onClientError: (error, socket) => {
        refused.push(describeClientError(error)?.reason ?? error.message);
        socket.destroy();
      },
    },
    { ...limits, ...own },
  );
  servers.push(server);
  const port = await listen(server, { host: '127.0.0.1', port: 0, reusePort: false });
  return { port, refused, server };
}

const closed = async (port: number, bytes: string): Promise<string> => {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(bytes);
  return text(socket);
};

describe('bounds in time and number', () => {
  test('headers that never end are cut off', async () => {
    const { port, refused } = await serve(() => undefined, { idleTimeoutMs: 0 });
    await closed(port, 'GET / HTTP/1.1\r\nHost: a.test\r\nX-Slow: ');
    expect(refused.join()).toMatch(/ERR_HTTP_REQUEST_TIMEOUT/);
  });

  test('a body that never ends is cut off', async () => {
    const { port, refused } = await serve((request) => void request.resume(), { idleTimeoutMs: 0 });
    await closed(port, 'POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 100\r\n\r\npart');
    expect(refused.join()).toMatch(/ERR_HTTP_REQUEST_TIMEOUT/);
  });

  /** What Node says where time is up: before it reads what came while the process was held still. */
  const timeIsUp = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
  const long = { requestTimeoutMs: 60_000, headersTimeoutMs: 60_000, idleTimeoutMs: 0 };

  test.each([
    ['head', 'GET / HTTP/1.1\r\nHost: a.te', 'st\r\nConnection: close\r\n\r\n'],
    ['body', 'POST / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\nContent-Length: 4\r\n\r\nab', 'cd'],
  ])('the rest of a %s that lies in the kernel when time is up is read', async (_name, first, rest) => {
    const { port, server, refused } = await serve((request, response) => {
      // Node's own end of a body that there is not says nothing.
      if (request.method === 'GET') response.end('served');
      else request.resume().on('end', () => response.end('served'));
    }, long);
    const client = connect(port, '127.0.0.1');
    client.write(first);
    const [own] = (await once(server, 'connection')) as [Socket];
    await vi.waitFor(() => expect(own.bytesRead).toBe(first.length));
    client.write(rest);
    server.emit('clientError', timeIsUp, own);
    expect(await text(client)).toMatch(/served$/);
    expect(refused).toEqual([]);
  });

  test('a head that comes at the last moment lifts no bound of its body', async () => {
    const { port, server, refused } = await serve((request) => void request.resume(), { idleTimeoutMs: 0 });
    const client = connect(port, '127.0.0.1').setNoDelay();
    client.on('error', () => undefined);
    const first = 'POST / HTTP/1.1\r\nHost: a.te';
    client.write(first);
    const [own] = (await once(server, 'connection')) as [Socket];
    await vi.waitFor(() => expect(own.bytesRead).toBe(first.length));
    // Node looks once a second, and timers come next: the head is late then, and its end lies in the kernel.
    await new Promise((resolve) => setImmediate(resolve));
    client.write('st\r\nContent-Length: 1000\r\n\r\n');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
    const [request] = await once(server, 'request');
    expect(request.complete).toBe(false);
    const drip = setInterval(() => client.write('x'), 50);
    await once(own, 'close');
    clearInterval(drip);
    expect(refused.join()).toMatch(/ERR_HTTP_REQUEST_TIMEOUT/);
  });

  test('a request that is late behind the answer to another is refused', async () => {
    const { port, server, refused } = await serve((_request, response) => void response.write('part'), long);
    const client = connect(port, '127.0.0.1');
    client.write('GET / HTTP/1.1\r\nHost: a.test\r\n\r\nGET / HTT');
    const [own] = (await once(server, 'connection')) as [Socket];
    await once(client, 'data');
    server.emit('clientError', timeIsUp, own);
    await text(client);
    expect(refused.join()).toMatch(/ERR_HTTP_REQUEST_TIMEOUT/);
  });

  test('a reader that stalls is let go', async () => {
    const gone = Promise.withResolvers<void>();
    const { port } = await serve((_request, response) => {
      response.on('close', () => gone.resolve());
      response.write(Buffer.alloc(64 * 1024 * 1024));
    });
    const socket = connect(port, '127.0.0.1').pause();
    socket.on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\nHost: a.test\r\n\r\n');
    await gone.promise;
    socket.destroy();
  });

  test('an idle kept connection is closed', async () => {
    const { port } = await serve((_request, response) => void response.end('ok'));
    expect(await closed(port, 'GET / HTTP/1.1\r\nHost: a.test\r\n\r\n')).toMatch(/ok$/);
  });

  test('connections beyond the bound are not taken', async () => {
    const { port } = await serve(() => undefined, {
      requestTimeoutMs: 60_000,
      headersTimeoutMs: 60_000,
      idleTimeoutMs: 0,
    });
    const sockets = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    expect(await closed(port, '')).toBe('');
    for (const socket of sockets) socket.destroy();
  });

  test('who resets a connection that asked for a tunnel ends nobody else’s', async () => {
    const { port, server } = await serve((_request, response) => void response.end('served'));
    for (let turn = 0; turn < 5; turn++) {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      const [own] = (await once(server, 'connection')) as [Socket];
      const gone = new Promise((resolve) => own.once('close', resolve));
      socket.write(`CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\n\r\n${'x'.repeat(70_000)}`);
      await once(server, 'connect');
      socket.resetAndDestroy();
      await gone;
    }
    expect(await closed(port, 'GET / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n')).toMatch(
      /served$/,
    );
  });

  test('a taken port is told with the system’s own code', async () => {
    const { port } = await serve(() => undefined);
    const other = createHttpServer(
      { onRequest: () => undefined, onUpgrade: () => undefined, onClientError: () => undefined },
      limits,
    );
    await expect(listen(other, { host: '127.0.0.1', port, reusePort: false })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
  });
});

describe('the address that is listened on', () => {
  test('is of IPv4 alone where both are asked for and the system has no IPv6', async () => {
    // As a kernel started with ipv6.disable=1 answers, or a unit without AF_INET6.
    class WithoutIPv6 extends NetServer {
      override listen(...args: unknown[]): this {
        const [{ host }] = args as [{ host: string }];
        const error = Object.assign(new Error('listen EAFNOSUPPORT'), { code: 'EAFNOSUPPORT' });
        if (host.includes(':')) process.nextTick(() => this.emit('error', error));
        else Reflect.apply(super.listen, this, args);
        return this;
      }
    }
    const server = new WithoutIPv6();
    const port = await listen(server, { host: '::', port: 0, reusePort: false });
    expect(server.address()).toMatchObject({ address: '0.0.0.0', port });
    server.close();
    const other = new WithoutIPv6();
    await expect(listen(other, { host: '::1', port: 0, reusePort: false })).rejects.toThrow('EAFNOSUPPORT');
  });
});
