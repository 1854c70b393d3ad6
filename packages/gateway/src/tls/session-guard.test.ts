import { once } from 'node:events';
import type { Http2SecureServer } from 'node:http2';
import { connect } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { listen } from '../listener/index.ts';
import { atOnce } from '../steps.ts';
import { certificateFor, type Field, flag, frame, frameType, headers, openHttp2 } from '../testing/index.ts';
import { compileCertificates, createTlsServer } from './index.ts';

const compile = (...given: Parameters<typeof compileCertificates>) => atOnce(compileCertificates(...given));
const host = 'shop.example.com';
const certificates = compile([await certificateFor([host])], new Set());
const request: Field[] = [
  [':method', 'POST'],
  [':scheme', 'https'],
  [':authority', host],
  [':path', '/'],
];
let server: Http2SecureServer | undefined;

afterEach(() => server?.close());

async function start(limits: { requestTimeoutMs?: number; idleTimeoutMs?: number }): Promise<number> {
  server = createTlsServer({
    certificates: () => certificates,
    handshakeTimeoutMs: 10_000,
    limits: () => ({
      headersTimeoutMs: 100,
      requestTimeoutMs: 60_000,
      idleTimeoutMs: 60_000,
      keepAliveTimeoutMs: 60_000,
      ...limits,
    }),
    maxHeaderBytes: 32_768,
    onClientError: (_error, socket) => socket.destroy(),
  });
  server.on('session', (session) => session.on('error', () => session.destroy()));
  return listen(server, { host: '127.0.0.1', port: 0, reusePort: false });
}

test('an HTTP/2 reader that stalls is let go', async () => {
  const port = await start({ idleTimeoutMs: 100 });
  server?.on('request', (_request, response) => void response.end(Buffer.alloc(1_000_000)));
  const connection = await openHttp2(port, host);
  await connection.send(headers(1, request));
  await connection.frame(({ type }) => type === frameType.data);
  const reset = await connection.frame(({ type }) => type === frameType.rstStream);
  expect(reset?.payload.readUInt32BE(0)).toBe(8);
  await connection.end();
});

test('an upload over HTTP/2 that never ends is cut off although it never rests', async () => {
  const port = await start({ requestTimeoutMs: 200 });
  server?.on('request', (incoming) => incoming.resume());
  const connection = await openHttp2(port, host);
  await connection.send(headers(1, request, flag.endHeaders));
  const drip = setInterval(() => void connection.send(frame(frameType.data, 0, 1, Buffer.from('x'))), 20);
  const reset = await connection.frame(({ type }) => type === frameType.rstStream);
  clearInterval(drip);
  expect(reset?.payload.readUInt32BE(0)).toBe(8);
  await connection.end();
});

test('a stalled reader of HTTP/1.1 over TLS is let go, on its first request and on later ones', async () => {
  const port = await start({ idleTimeoutMs: 100 });
  const closed = Promise.withResolvers<void>();
  server?.on('request', (incoming, response) => {
    if (incoming.url === '/first') response.end('ok');
    else {
      response.on('close', () => closed.resolve());
      response.end(Buffer.alloc(20_000_000));
    }
  });
  const options = { host: '127.0.0.1', servername: host, rejectUnauthorized: false };
  const socket = connect({ port, ...options, ALPNProtocols: ['http/1.1'] });
  socket.on('error', () => undefined);
  socket.write(`GET /first HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  await once(socket, 'data');
  socket.pause();
  socket.write(`GET /second HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  await closed.promise;
  socket.destroy();
});

test.each([
  ['PING', frame(frameType.ping, 0, 0, Buffer.alloc(8))],
  ['SETTINGS', frame(frameType.settings, 0, 0, Buffer.from([0, 3, 0, 0, 0, 100]))],
])('a flood of %s ends its connection', async (_name, one) => {
  const port = await start({});
  const connection = await openHttp2(port, host);
  await connection.send(...Array.from({ length: 1000 }, () => one));
  // Resolves with nothing once the connection has ended.
  expect(await connection.frame(() => false)).toBeUndefined();
});

test('a connection that pings now and then lives', async () => {
  const port = await start({});
  const connection = await openHttp2(port, host);
  await connection.send(...Array.from({ length: 100 }, () => frame(frameType.ping, 0, 0, Buffer.alloc(8))));
  await connection.frame(
    () => connection.received.filter(({ type }) => type === frameType.ping).length === 100,
  );
  expect(connection.closed).toBe(false);
  await connection.end();
});
