import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  certificateFor,
  type HttpUpstream,
  type StartedGateway,
  startGateway,
  startUpstream,
} from '../testing/index.ts';

const host = 'shop.example.com';
const attack = encodeURIComponent("1' UNION SELECT password FROM users--");

/** A head that is refused, of an upload that its client goes on with all the same. */
const refused = (framing: string) => `POST /?id=${attack} HTTP/1.1\r\nHost: ${host}\r\n${framing}\r\n\r\n`;

describe('a refused upload', () => {
  let upstream: HttpUpstream;
  let gateway: StartedGateway;

  beforeAll(async () => {
    upstream = await startUpstream();
    gateway = await startGateway({
      certificates: [await certificateFor([host])],
      sites: [{ domains: [host], backend_url: upstream.url, ssl: { enabled: true } }],
    });
  });
  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
    await upstream[Symbol.asyncDispose]();
  });

  const doors: Record<string, () => Socket> = {
    clear: () => connect(gateway.port, '127.0.0.1'),
    TLS: () =>
      connectTls({
        host: '127.0.0.1',
        port: gateway.httpsPort ?? 0,
        servername: host,
        rejectUnauthorized: false,
        ALPNProtocols: ['http/1.1'],
      }),
  };

  /** Sends before it reads anything, as simple clients do. */
  async function sendThenRead(socket: Socket, bytes: Buffer): Promise<string> {
    socket.pause();
    await new Promise<void>((resolve, reject) => {
      socket.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
    return text(socket);
  }

  test.each(Object.keys(doors))('is told why although it is read to its end first: %s', async (door) => {
    const length = 6 * 1024 * 1024;
    const head = refused(`Content-Length: ${length}`);
    const socket = doors[door]?.() ?? expect.unreachable();
    const answer = await sendThenRead(socket, Buffer.concat([Buffer.from(head), Buffer.alloc(length, 'x')]));
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
    expect(answer).toMatch(/connection: close/i);
  });

  test('is told why where nobody could read it', async () => {
    const bytes = Buffer.from(`POST / HTTP/1.1\r\nHost: ${host}\r\nX: ${'y'.repeat(12_000_000)}\r\n\r\n`);
    expect(await sendThenRead(connect(gateway.port, '127.0.0.1'), bytes)).toMatch(/^HTTP\/1\.1 431 /);
  });

  /** Takes no hint: it goes on with its half when we have ended ours. */
  function stubborn(): Socket {
    const socket = connect({ port: gateway.port, host: '127.0.0.1', allowHalfOpen: true });
    return socket.on('error', () => undefined).resume();
  }
  const event = (socket: Socket, name: 'close' | 'end') =>
    new Promise<void>((resolve) => {
      socket.once(name, resolve);
    });

  test('is not read without end', async () => {
    const socket = stubborn();
    const closed = event(socket, 'close');
    socket.write(refused('Transfer-Encoding: chunked'));
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    let sent = 0;
    const more = () => {
      sent += chunk.length;
      if (socket.writable) socket.write(chunk, more);
    };
    more();
    await closed;
    expect(sent).toBeGreaterThan(10_000_000);
  });

  test.each([
    ['a request', ''],
    ['a handshake', 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: a\r\n'],
  ])('takes nothing further with it: %s', async (_name, more) => {
    const socket = stubborn();
    const closed = event(socket, 'close');
    const answered = event(socket, 'end');
    socket.write(
      `POST / HTTP/1.1\r\nHost: ${host}\r\nConnection: Host\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    await answered;
    socket.write(`2\r\nxx\r\n0\r\n\r\nGET /hidden HTTP/1.1\r\nHost: ${host}\r\n${more}\r\n`);
    // Only who writes learns that nobody is there any more.
    const write = setInterval(() => socket.write('GET'), 20);
    await closed;
    clearInterval(write);
    expect(upstream.requests).toEqual([]);
  });
});
