import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { speak, startGateway, startUpstream } from '../testing/index.ts';

const handshake = (more = '') =>
  `GET /chat?room=1 HTTP/1.1\r\nHost: a.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
  `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${more}\r\n`;

async function startChat() {
  const upstream = await startUpstream((_request, response) => void response.end('plain'));
  upstream.server.on('upgrade', (request, socket: Socket, head: Buffer) => {
    upstream.requests.push(request);
    const accept = createHash('sha1')
      .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    if (head.length > 0) socket.write(head);
    socket.on('data', (bytes: Buffer) => socket.write(bytes));
    socket.on('end', () => socket.end());
    socket.on('error', () => undefined);
  });
  return upstream;
}

describe('WebSocket', () => {
  test('is switched and carries bytes both ways', async () => {
    await using upstream = await startChat();
    await using gateway = await startGateway({ sites: [{ id: 'chat', backend_url: upstream.url }] });
    const socket = connect(gateway.port, '127.0.0.1');
    socket.write(handshake());
    const [head] = await once(socket, 'data');
    expect(String(head)).toMatch(
      /^HTTP\/1\.1 101 .*\r\n(.*\r\n)*sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK\+xOo=\r\n/i,
    );
    socket.write('ping');
    expect(String((await once(socket, 'data'))[0])).toBe('ping');
    socket.end();
    await once(socket, 'close');
    const counted = await gateway.sink.until(() =>
      gateway.sink.counters.find((one) => one.siteId === 'chat'),
    );
    expect(counted).toMatchObject({ requests: 1, statuses: [1, 0, 0, 0, 0], bytesIn: 4, bytesOut: 4 });
    expect(upstream.requests[0]?.headers['x-forwarded-for']).toBe('127.0.0.1');
  });

  test('ends towards the upstream when the client goes', async () => {
    await using upstream = await startChat();
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
    const socket = connect(gateway.port, '127.0.0.1');
    const switched = once(upstream.server, 'upgrade');
    socket.write(handshake());
    const [, upstreamSocket] = (await switched) as [unknown, Socket];
    await once(socket, 'data');
    const closed = once(upstreamSocket, 'close');
    socket.destroy();
    await closed;
  });

  test('an upstream that declines has its answer passed on', async () => {
    await using upstream = await startUpstream((_request, response) => {
      response.writeHead(426, { 'X-Why': 'no' }).end('not here');
    });
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
    const answer = await speak(gateway.port, handshake());
    expect(answer).toMatch(/^HTTP\/1\.1 426 /);
    expect(answer).toContain('X-Why: no');
    expect(answer).toContain('not here');
  });

  test('an upstream that is down gives 502', async () => {
    await using gateway = await startGateway({ sites: [{}] });
    expect(await speak(gateway.port, handshake())).toMatch(/^HTTP\/1\.1 502 /);
  });

  test.each([
    [
      'h2c',
      'GET / HTTP/1.1\r\nHost: a.test\r\nConnection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQ\r\n\r\n',
    ],
    [
      'a WebSocket by POST with a body',
      'POST / HTTP/1.1\r\nHost: a.test\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\nContent-Length: 0\r\n\r\n',
    ],
    [
      'a WebSocket without a key',
      'GET / HTTP/1.1\r\nHost: a.test\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n',
    ],
  ])('%s is an ordinary request that switches nothing', async (_name, bytes) => {
    await using upstream = await startChat();
    await using gateway = await startGateway({ sites: [{ backend_url: upstream.url }] });
    const answer = await speak(gateway.port, bytes);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(upstream.requests[0]?.headers).not.toHaveProperty('upgrade');
    expect(upstream.requests[0]?.headers).not.toHaveProperty('http2-settings');
  });
});
